import { isInAppBrowser } from '#web/platform/entry/engine/in-app-browser.ts';

/** How this browser puts the app onto the device. */
export type InstallMethod =
  /** by a question of the browser, which it has handed to us */
  | 'question'
  /** by the Share button of Safari on an iPhone */
  | 'shareOnPhone'
  /** by the Share button of Safari on an iPad */
  | 'shareOnTablet'
  /** by the browser's own menu */
  | 'menu'
  /** by the File menu of Safari on a Mac */
  | 'dock'
  /** not at all: another browser can */
  | 'otherBrowser';

export interface Browser {
  readonly userAgent: string;
  /** an iPad calls itself a Mac, and is touched */
  readonly touchPoints: number;
  /** whether it is one that asks */
  readonly asks: boolean;
  /** whether it has asked, which it does only where the app can be installed and is not */
  readonly hasAsked: boolean;
}

/** The way for a browser; undefined where there is nothing to say, because the app is there already or cannot be. */
export function installMethod({ userAgent, touchPoints, asks, hasAsked }: Browser): InstallMethod | undefined {
  if (hasAsked) return 'question';
  // nothing can be installed from inside another app
  if (isInAppBrowser(userAgent)) return 'otherBrowser';
  if (asks) return undefined;
  const apple = deviceOfApple(userAgent, touchPoints);
  // Since iOS 16.4 others have it in their menus, too; only Safari's button is where the picture shows it.
  if (/\b(CriOS|FxiOS|EdgiOS|OPiOS|DuckDuckGo)\b/.test(userAgent)) return 'menu';
  if (apple === 'phone') return 'shareOnPhone';
  if (apple === 'tablet') return 'shareOnTablet';
  if (/Android/.test(userAgent)) return 'menu';
  return apple === 'mac' && /Version\/(1[7-9]|[2-9]\d)/.test(userAgent) ? 'dock' : 'otherBrowser';
}

function deviceOfApple(userAgent: string, touchPoints: number): 'phone' | 'tablet' | 'mac' | undefined {
  if (/iPhone|iPod/.test(userAgent)) return 'phone';
  if (/iPad/.test(userAgent)) return 'tablet';
  if (!/Macintosh/.test(userAgent)) return undefined;
  return touchPoints > 1 ? 'tablet' : 'mac';
}
