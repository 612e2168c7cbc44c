import { Trans } from '@lingui/react/macro';
import { useBrand } from '../../brand/brand-context.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Mail, MessageCircle } from '../../ui/icon.tsx';
import styles from './help-page.module.css';

/** The ways to a person that this brand has. */
export function Contact() {
  const { helpShowEmail, chatLink } = useBrand().siteConfig;
  if (!helpShowEmail && !chatLink) return null;
  return (
    <Card as="aside" tone="soft" className={styles.contact}>
      <h2 className={styles.contactTitle}>
        <Trans>Still not sure?</Trans>
      </h2>
      <p>
        <Trans>Write to us. If it is about a payment, tell us the order number.</Trans>
      </p>
      {helpShowEmail ? (
        <a className={buttonClass({ variant: 'secondary' })} href={`mailto:${helpShowEmail}`}>
          <Mail aria-hidden />
          <span className={styles.address}>{helpShowEmail}</span>
        </a>
      ) : null}
      {chatLink ? (
        <a className={buttonClass({ variant: 'secondary' })} href={chatLink} target="_blank" rel="noopener noreferrer">
          <MessageCircle aria-hidden />
          <Trans>Chat with us</Trans>
        </a>
      ) : null}
    </Card>
  );
}
