import { useLingui } from '@lingui/react/macro';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { MessageCircle } from '#web/ui/icon.tsx';
import styles from './chat-link.module.css';

/** The link to a support chat, for brands that have one; last in every layout. */
export function ChatLink() {
  const { t } = useLingui();
  const { chatLink } = useBrand().siteConfig;
  if (!chatLink) return null;
  const words = t`Need Help?`;
  return (
    <aside className={styles.chat} aria-label={words}>
      <a className={styles.link} href={chatLink} target="_blank" rel="noopener noreferrer">
        <MessageCircle aria-hidden />
        <span>{words}</span>
      </a>
    </aside>
  );
}
