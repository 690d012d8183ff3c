#ifndef WEBVIEW_SERVER_CPNG_H
#define WEBVIEW_SERVER_CPNG_H

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  int failed;
} webview_png_buffer;

static inline void webview_png_append(png_structp png, png_bytep data, png_size_t length) {
  webview_png_buffer *buffer = (webview_png_buffer *)png_get_io_ptr(png);
  if (buffer->capacity - buffer->count < length) {
    size_t capacity = buffer->capacity ? buffer->capacity : 1 << 18;
    while (capacity - buffer->count < length) capacity *= 2;
    uint8_t *bytes = (uint8_t *)realloc(buffer->bytes, capacity);
    if (!bytes) png_error(png, "out of memory");
    buffer->bytes = bytes;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->count, data, length);
  buffer->count += length;
}

static inline void webview_png_flush(png_structp png) { (void)png; }

static inline int webview_png_is_opaque(const uint8_t *pixels, int width, int height, int stride) {
  for (int y = 0; y < height; y++) {
    const uint32_t *row = (const uint32_t *)(pixels + (size_t)y * (size_t)stride);
    for (int x = 0; x < width; x++)
      if (row[x] >> 24 != 0xff) return 0;
  }
  return 1;
}

/* One row of cairo's premultiplied native-endian ARGB to RGBA, or to RGB. */
static inline void webview_png_row(const uint32_t *from, uint8_t *to, int width, int has_alpha) {
  for (int x = 0; x < width; x++) {
    uint32_t p = from[x], a = p >> 24, r = p >> 16 & 255, g = p >> 8 & 255, b = p & 255;
    if (has_alpha) {
      if (a != 0 && a != 255) {
        r = (r * 255 + a / 2) / a;
        g = (g * 255 + a / 2) / a;
        b = (b * 255 + a / 2) / a;
        if (r > 255) r = 255;
        if (g > 255) g = 255;
        if (b > 255) b = 255;
      }
      to[0] = (uint8_t)r, to[1] = (uint8_t)g, to[2] = (uint8_t)b, to[3] = (uint8_t)a;
      to += 4;
    } else {
      to[0] = (uint8_t)r, to[1] = (uint8_t)g, to[2] = (uint8_t)b;
      to += 3;
    }
  }
}

/* libpng reports errors by longjmp, which must not pass through Swift: it stays in here. The caller frees
   buffer->bytes in every case. Returns 0 on failure. */
static inline int webview_png_encode(const uint8_t *pixels, int width, int height, int stride, int has_alpha,
                                     int level, int filters, webview_png_buffer *buffer) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  if (!png) return 0;
  png_infop info = png_create_info_struct(png);
  uint8_t *row = (uint8_t *)malloc((size_t)width * 4);
  if (!info || !row || setjmp(png_jmpbuf(png))) {
    free(row);
    png_destroy_write_struct(&png, info ? &info : NULL);
    return 0;
  }
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_write_fn(png, buffer, webview_png_append, webview_png_flush);
  png_set_compression_level(png, level);
  png_set_filter(png, 0, filters);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
               has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int y = 0; y < height; y++) {
    webview_png_row((const uint32_t *)(pixels + (size_t)y * (size_t)stride), row, width, has_alpha);
    png_write_row(png, row);
  }
  png_write_end(png, info);
  free(row);
  png_destroy_write_struct(&png, &info);
  return 1;
}

#endif
