/**
 * Apps that show web pages in a view of their own. No feature detects this: the view is the system's engine, in which
 * Google refuses logins (403 disallowed_useragent) and downloads fail. So the user agent is the only indication.
 */
const appNames = [
  /\b(FBAN|FBAV|FB_IAB|FBIOS|FB4A|Messenger|Instagram|Barcelona|WhatsApp|MicroMessenger|WeChat|QQ|Weibo|Line|KAKAOTALK|Viber)\b/i,
  /\b(Telegram|Telegram-Android|TikTok|musical_ly|BytedanceWebview|Snapchat|Pinterest|Twitter|TwitterAndroid|LinkedInApp|GSA|VKAndroidApp|VKClient|Discord)\b/i,
  // on iPhones its user agent ends like Safari's
  /NAVER\(inapp/,
];

/** Browsers whose user agent looks like that of an Android WebView, although they are no in-app browsers. */
const viewBrowsers =
  /\b(MiuiBrowser|HeyTapBrowser|OppoBrowser|VivoBrowser|HuaweiBrowser|MZBrowser|UCBrowser|UBrowser|MQQBrowser|SogouMobileBrowser|Quark|Maxthon|OPR|OPX|YaBrowser|SamsungBrowser|DuckDuckGo)\//i;

/** Android System WebView since version 5 has `; wv)`; earlier versions have `Version/4.0` beside `Chrome/`. */
const androidView = /; wv\)|Android.*Version\/\d+\.\d+.*Chrome\/\d+/;

/** Browsers on iPhones and iPads end with `Safari/`; most in-app browsers do not. */
const appleView = /(iPhone|iPad|iPod).*AppleWebKit(?!.*Safari\/)/;

/** Whether the page is shown inside another app. A page on the home screen is an app of its own. */
export function isInAppBrowser(userAgent: string, isStandalone = false): boolean {
  if (appNames.some((pattern) => pattern.test(userAgent))) return true;
  if (androidView.test(userAgent)) return !viewBrowsers.test(userAgent);
  return appleView.test(userAgent) && !isStandalone;
}

/** False while the server renders. */
export function isInApp(): boolean {
  if (typeof navigator === 'undefined') return false;
  // Safari only: true for a page on the home screen, whose user agent does not name Safari either
  const { standalone }: { standalone?: boolean } = navigator as Navigator & { standalone?: boolean };
  return isInAppBrowser(navigator.userAgent, standalone === true);
}
