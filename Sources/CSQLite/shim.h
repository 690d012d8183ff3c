#ifndef WEBVIEW_SERVER_CSQLITE_H
#define WEBVIEW_SERVER_CSQLITE_H
#include <sqlite3.h>
#endif
