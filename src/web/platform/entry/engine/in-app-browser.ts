/**
 * Apps that show web pages in a view of their own. No feature tells: the view is the engine of the system, in which Google
 * refuses logins (403 disallowed_useragent) and downloads lead nowhere. So this is known by the user agent only.
 */
const appNames = [
  /\b(FBAN|FBAV|FB_IAB|FBIOS|FB4A|Messenger|Instagram|Barcelona|WhatsApp|MicroMessenger|WeChat|QQ|Weibo|Line|KAKAOTALK|Viber)\b/i,
  /\b(Telegram|Telegram-Android|TikTok|musical_ly|BytedanceWebview|Snapchat|Pinterest|Twitter|TwitterAndroid|LinkedInApp|GSA|VKAndroidApp|VKClient|Discord)\b/i,
  // on iPhones its user agent ends like Safari's
  /NAVER\(inapp/,
];

/** Browsers whose user agent looks like that of an Android WebView, although they are not another app's view. */
const viewBrowsers =
  /\b(MiuiBrowser|HeyTapBrowser|OppoBrowser|VivoBrowser|HuaweiBrowser|MZBrowser|UCBrowser|UBrowser|MQQBrowser|SogouMobileBrowser|Quark|Maxthon|OPR|OPX|YaBrowser|SamsungBrowser|DuckDuckGo)\//i;

/** Android System WebView names itself so since version 5; before, it said `Version/4.0` beside `Chrome/`. */
const androidView = /; wv\)|Android.*Version\/\d+\.\d+.*Chrome\/\d+/;

/** Browsers of iPhones and iPads end with `Safari/`; a view of another app mostly does not. */
const appleView = /(iPhone|iPad|iPod).*AppleWebKit(?!.*Safari\/)/;

/** Whether the page is shown inside another app. A page that was put on the home screen is an app of its own. */
export function isInAppBrowser(userAgent: string, isStandalone = false): boolean {
  if (appNames.some((pattern) => pattern.test(userAgent))) return true;
  if (androidView.test(userAgent)) return !viewBrowsers.test(userAgent);
  return appleView.test(userAgent) && !isStandalone;
}

/** Not while the server renders. */
export function isInApp(): boolean {
  if (typeof navigator === 'undefined') return false;
  // only Safari has it: true for a page on the home screen, whose agent does not name Safari either
  const { standalone }: { standalone?: boolean } = navigator as Navigator & { standalone?: boolean };
  return isInAppBrowser(navigator.userAgent, standalone === true);
}
