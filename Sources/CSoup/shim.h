#ifndef WEBVIEW_SERVER_CSOUP_H
#define WEBVIEW_SERVER_CSOUP_H
#include <gio/gunixsocketaddress.h>
#include <libsoup/soup.h>
#endif
