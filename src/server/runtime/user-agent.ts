import { isTvAgent } from '#contract/screen.ts';

/** Type of device, by the first pattern that matches; the names are brand names, so they need no translation. */
const devices: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Browsers built on Chrome name both, so they come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/OPR\/(\d+)/, 'Opera'],
  [/EdgA?\/(\d+)/, 'Edge'],
  [/Firefox\/(\d+)|FxiOS\/(\d+)/, 'Firefox'],
  [/CriOS\/(\d+)|Chrome\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari/, 'Safari'],
];

/** Device and model of a login for the account page; empty where the user agent does not contain them. */
export function deviceOf(userAgent: string): { device: string; model: string } {
  const device = isTvAgent(userAgent) ? 'Smart TV' : (devices.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '');
  return { device, model: (androidModel(userAgent) ?? browserOf(userAgent)).slice(0, 80) };
}

/** Chrome reports `K` instead of the model. */
function androidModel(userAgent: string): string | undefined {
  const model = /Android [\d.]+; ([\w .-]{2,60}?)(?: Build\/[^;)]*)?\)/.exec(userAgent)?.[1]?.trim();
  return model === 'K' || model === 'wv' ? undefined : model;
}

function browserOf(userAgent: string): string {
  for (const [pattern, name] of browsers) {
    const match = pattern.exec(userAgent);
    if (match) return `${name} ${match[1] ?? match[2]}`;
  }
  return '';
}
