import { activeI18n, activeLanguage } from '#web/platform/i18n/active.ts';

const dark = '(prefers-color-scheme: dark)';

/**
 * The manifest that the browser reads when it installs or updates the app: in the language of the page, and in the
 * system's colour scheme, for phones that support one pair of colours only. A cached page may have been rendered in
 * another language, and a page from a static web server has no such link yet.
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

/** Updates the link while the page is open. */
export function followManifest(): void {
  const scheme = matchMedia(dark);
  const link = manifestLink();
  const updateLink = () => {
    const address = manifestAddress(activeLanguage(), scheme.matches);
    if (link.getAttribute('href') !== address) link.setAttribute('href', address);
    if (!link.isConnected) document.head.append(link);
  };
  updateLink();
  scheme.addEventListener('change', updateLink);
  activeI18n().on('change', updateLink);
}
