import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { AccountName } from '#web/domain/account/names.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Mail, MessageCircle, Phone } from '#web/ui/icon.tsx';
import styles from './help-page.module.css';
import { contactQuery } from './help-queries.ts';

/** The brand's contact methods, as far as they are loaded. */
function useContact() {
  const { helpShowEmail: email, helpPhone: phone, chatLink } = useBrand().siteConfig;
  return useQuery(contactQuery).data ?? { email, phone, chatLink };
}

export function Contact() {
  const { email, phone, chatLink } = useContact();
  if (!email && !phone && !chatLink) return null;
  const looks = buttonClass({ variant: 'secondary' });
  return (
    <Card as="aside" tone="soft" className={styles.contact}>
      <h2 className={styles.contactTitle}>
        <Trans>Still not sure?</Trans>
      </h2>
      <p>
        <Trans>Write to us. If it is about a payment, tell us the order number.</Trans>
      </p>
      {email ? (
        <a className={looks} href={`mailto:${email}`}>
          <Mail aria-hidden />
          <span className={styles.address} translate="no">
            <AccountName account={email} />
          </span>
        </a>
      ) : null}
      {phone ? (
        <a className={looks} href={telephoneLink(phone)}>
          <Phone aria-hidden />
          <span className={styles.address} translate="no">
            {phone}
          </span>
        </a>
      ) : null}
      {chatLink ? (
        <a className={looks} href={chatLink} target="_blank" rel="noopener noreferrer">
          <MessageCircle aria-hidden />
          <Trans>Chat with us</Trans>
        </a>
      ) : null}
    </Card>
  );
}

/** A phone number as a `tel:` link (RFC 3966): the leading plus and the digits. */
export function telephoneLink(phone: string): string {
  const plus = phone.trim().startsWith('+') ? '+' : '';
  return `tel:${plus}${phone.replaceAll(/\D/g, '')}`;
}
