import { isInAppBrowser } from '#web/platform/entry/engine/in-app-browser.ts';

/** How this browser installs the app. */
export type InstallMethod =
  /** the browser's own prompt, which the page can show */
  | 'question'
  /** the Share button of Safari on an iPhone */
  | 'shareOnPhone'
  /** the Share button of Safari on an iPad */
  | 'shareOnTablet'
  /** the browser's menu */
  | 'menu'
  /** the File menu of Safari on a Mac */
  | 'dock'
  /** not possible here; another browser can */
  | 'otherBrowser';

export interface Browser {
  readonly userAgent: string;
  /** an iPad reports itself as a Mac with touch points */
  readonly touchPoints: number;
  /** whether the browser supports `beforeinstallprompt` */
  readonly hasPrompt: boolean;
  /** whether it has fired, which happens only where the app can be installed and is not */
  readonly hasAsked: boolean;
}

/** Undefined where nothing is offered, because the app is installed already or cannot be installed. */
export function installMethod({ userAgent, touchPoints, hasPrompt, hasAsked }: Browser): InstallMethod | undefined {
  if (hasAsked) return 'question';
  // an in-app browser cannot install anything
  if (isInAppBrowser(userAgent)) return 'otherBrowser';
  if (hasPrompt) return undefined;
  const apple = deviceOfApple(userAgent, touchPoints);
  // Since iOS 16.4 other browsers have it in their menus; the picture shows only Safari's button.
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
