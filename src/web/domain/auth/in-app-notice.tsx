import { useEffect } from 'react';
import { withWords } from '#web/platform/i18n/catalogs.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';

const load = () => withWords('private', import('./open-in-browser.tsx'));

/** Loaded inside other apps only. */
export function InAppNotice({ missing }: { missing: 'google' | 'download' }) {
  const [notices, want] = useLazyModule(load);
  useEffect(() => void want(), [want]);
  if (!notices) return null;
  return missing === 'google' ? <notices.GoogleInBrowser /> : <notices.DownloadInBrowser />;
}
