#ifndef WEBVIEW_SERVER_CPNG_H
#define WEBVIEW_SERVER_CPNG_H
#include <png.h>
#endif
