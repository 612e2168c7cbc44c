import { activeI18n, activeLanguage } from '#web/platform/i18n/active.ts';

const dark = '(prefers-color-scheme: dark)';

/**
 * The manifest that the browser reads when it installs the app or looks after it: in the language of the page, and in the
 * colours that the system wishes, for phones that know one pair of colours only. A page that was kept for later may have
 * been written in another language than it is read in, and one from a bare web server has no such link yet.
 */
export function manifestAddress(language: string, isDark: boolean): string {
  return `/manifest.webmanifest?language=${language}${isDark ? '&scheme=dark' : ''}`;
}

function manifestLink(): HTMLLinkElement {
  const found = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (found) return found;
  const link = document.createElement('link');
  link.rel = 'manifest';
  return link;
}

/** Keeps the link right while the page is open. */
export function followManifest(): void {
  const scheme = matchMedia(dark);
  const link = manifestLink();
  const point = () => {
    const address = manifestAddress(activeLanguage(), scheme.matches);
    if (link.getAttribute('href') !== address) link.setAttribute('href', address);
    if (!link.isConnected) document.head.append(link);
  };
  point();
  scheme.addEventListener('change', point);
  activeI18n().on('change', point);
}
