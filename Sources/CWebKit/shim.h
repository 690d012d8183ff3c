#ifndef WEBVIEW_SERVER_CWEBKIT_H
#define WEBVIEW_SERVER_CWEBKIT_H
#include <gdk/gdkx.h>
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>
#endif
