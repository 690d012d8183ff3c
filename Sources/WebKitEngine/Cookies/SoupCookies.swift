import CWebKit
import Foundation
import WebViewCore

/// Cookies between libsoup's form, which WebKit takes, and the core's.
enum SoupCookies {
  static func make(_ cookie: Cookie) -> OpaquePointer {
    let soup = soup_cookie_new(cookie.name, cookie.value, cookie.domain, cookie.path, -1)!
    soup_cookie_set_secure(soup, cookie.isSecure ? 1 : 0)
    soup_cookie_set_http_only(soup, cookie.isHTTPOnly ? 1 : 0)
    if let expires = cookie.expiresDate {
      // GDateTime ends with the year 9999.
      let seconds = min(max(expires.timeIntervalSince1970, 0), 253_402_300_799)
      if let date = g_date_time_new_from_unix_utc(gint64(seconds)) {
        soup_cookie_set_expires(soup, date)
        g_date_time_unref(date)
      }
    }
    switch cookie.sameSite {
    case .strict: soup_cookie_set_same_site_policy(soup, SOUP_SAME_SITE_POLICY_STRICT)
    case .lax: soup_cookie_set_same_site_policy(soup, SOUP_SAME_SITE_POLICY_LAX)
    case .some(.none), nil: soup_cookie_set_same_site_policy(soup, SOUP_SAME_SITE_POLICY_NONE)
    }
    return soup
  }

  /// Takes over a list of cookies and frees it.
  static func consume(_ list: UnsafeMutablePointer<GList>?) -> [Cookie] {
    var cookies: [Cookie] = []
    var next = list
    while let item = next {
      if let data = item.pointee.data {
        let soup = OpaquePointer(data)
        cookies.append(cookie(soup))
        soup_cookie_free(soup)
      }
      next = item.pointee.next
    }
    g_list_free(list)
    return cookies
  }

  /// A `Set-Cookie` header of a response from that URL; nil for what the URL may not set.
  static func parse(_ header: String, from url: String) -> Cookie? {
    guard let origin = g_uri_parse(url, GUriFlags(G_URI_FLAGS_ENCODED.rawValue), nil) else { return nil }
    defer { g_uri_unref(origin) }
    guard let soup = soup_cookie_parse(header, origin) else { return nil }
    defer { soup_cookie_free(soup) }
    let cookie = cookie(soup)
    return cookie.isSecure && !url.hasPrefix("https:") ? nil : cookie
  }

  private static func cookie(_ soup: OpaquePointer) -> Cookie {
    let expires = soup_cookie_get_expires(soup).map {
      Date(timeIntervalSince1970: Double(g_date_time_to_unix($0)))
    }
    let sameSite: Cookie.SameSite? =
      switch soup_cookie_get_same_site_policy(soup) {
      case SOUP_SAME_SITE_POLICY_STRICT: .strict
      case SOUP_SAME_SITE_POLICY_LAX: .lax
      // The engine's jar has one value for "None" and for no attribute at all.
      default: Cookie.SameSite.none
      }
    return Cookie(
      name: string(soup_cookie_get_name(soup)) ?? "", value: string(soup_cookie_get_value(soup)) ?? "",
      domain: string(soup_cookie_get_domain(soup)) ?? "", path: string(soup_cookie_get_path(soup)) ?? "/",
      isSecure: soup_cookie_get_secure(soup) != 0, isHTTPOnly: soup_cookie_get_http_only(soup) != 0,
      expiresDate: expires, sameSite: sameSite)
  }
}
