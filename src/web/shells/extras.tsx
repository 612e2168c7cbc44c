import { Trans, useLingui } from '@lingui/react/macro';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { useStandalone } from '#web/platform/pwa/standalone.ts';
import { useUpdateOffer } from '#web/platform/pwa/update-offer-store.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { MessageCircle } from '#web/ui/icon.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const BackButton = lazyPart(async () => (await withMessages('private', import('./back-button.tsx'))).BackButton);
const UpdateOffer = lazyPart(async () => (await import('#web/platform/pwa/update-offer.tsx')).UpdateOffer);

/**
 * Parts of every page that no first page waits for: the announced page name, toasts, the update offer, and the back
 * button of an installed app.
 */
export function Extras() {
  return (
    <>
      <PageName />
      <ToastRegion />
      {useUpdateOffer() ? <UpdateOffer /> : null}
      {useStandalone() ? <BackButton /> : null}
    </>
  );
}

/**
 * Announces the page after a navigation (WCAG 2.2, 4.1.3); silent on the first page, whose title the browser announces.
 */
export function PageName() {
  const router = useRouter();
  const [name, setName] = useState('');
  useEffect(
    // An earlier listener of the same event sets the title (`sync-head.ts`).
    () =>
      router.subscribe('onResolved', ({ pathChanged }) => {
        const { title } = document;
        // pages of one payment share a title: unchanged text would stay silent
        if (pathChanged) setName((before) => (before === title ? `${title}\u00A0` : title));
      }),
    [router],
  );
  return (
    <p className="sr-only" role="status" data-page-name>
      {name}
    </p>
  );
}

interface ChatLinkProps {
  href: string;
  /** of the layouts, which style the server's HTML */
  styles: Readonly<Record<string, string>>;
}

export function ChatLink({ href, styles }: ChatLinkProps) {
  const { t } = useLingui();
  const words = t`Need Help?`;
  return (
    <aside className={styles['chat']} aria-label={words}>
      <a className={styles['link']} href={href} target="_blank" rel="noopener noreferrer">
        <MessageCircle aria-hidden />
        <span>{words}</span>
        <span className="sr-only">
          <span> </span>
          <Trans>(opens in a new tab)</Trans>
        </span>
        {/* as content of the style sheet it would be read out */}
        <span className={styles['out']} aria-hidden>
          {'\u2197\uFE0E'}
        </span>
      </a>
    </aside>
  );
}
