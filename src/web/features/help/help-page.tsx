import { Trans } from '@lingui/react/macro';
import { useSuspenseQuery, useQuery } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useDeferredValue } from 'react';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { ChevronDown, Mail, MessageCircle, Phone } from '#web/ui/icon.tsx';
import styles from './help-page.module.css';
import { helpQueries, contactQuery } from './help-queries.ts';
import { useWithdrawalDays, WithdrawalAnswer, WithdrawalTitle } from './withdrawal-help.tsx';
import { AccountName } from '#web/domain/account/names.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { Card } from '#web/ui/card.tsx';

/** Questions and answers, and how to contact the operator. */
export function HelpPage() {
  const [helpOf] = helpQueries(useDeferredValue(useLanguage()));
  const { sections } = useSuspenseQuery(helpOf).data;
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        <h1>
          <Trans>How can we help?</Trans>
        </h1>
        <div>
          {sections.map(({ heading, paragraphs, link }) => (
            <details key={heading} className={styles.question} name="help">
              <summary className={styles.summary}>
                <span>{heading}</span>
                <ChevronDown aria-hidden />
              </summary>
              <div className={styles.answer}>
                {paragraphs.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
                {link ? (
                  <Link to={link.to} className={buttonClass({ variant: 'secondary' })}>
                    {link.text}
                  </Link>
                ) : null}
              </div>
            </details>
          ))}
          <WithdrawalQuestion />
        </div>
      </div>
      <Contact />
    </div>
  );
}

function WithdrawalQuestion() {
  const days = useWithdrawalDays();
  if (days === undefined) return null;
  return (
    <details className={styles.question} name="help" id="withdrawal">
      <summary className={styles.summary}>
        <span>
          <WithdrawalTitle />
        </span>
        <ChevronDown aria-hidden />
      </summary>
      <div className={styles.answer}>
        <WithdrawalAnswer days={days} />
      </div>
    </details>
  );
}

/** The brand's contact methods, as far as they are loaded. */
function useContact() {
  const { helpShowEmail: email, helpPhone: phone, chatLink } = useBrand().siteConfig;
  return useQuery(contactQuery).data ?? { email, phone, chatLink };
}

function Contact() {
  const { email, phone, chatLink } = useContact();
  if (!email && !phone && !chatLink) return null;
  const looks = buttonClass({ variant: 'secondary' });
  return (
    <Card as="aside" tone="soft" className={styles.contact}>
      <h2 className={styles.contactTitle}>
        <Trans>Still not sure?</Trans>
      </h2>
      <p>
        <Trans>Contact us. If it’s about a payment, include the order number.</Trans>
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
      {chatLink ? <Chat href={chatLink} looks={looks} /> : null}
    </Card>
  );
}

function Chat({ href, looks }: { href: string; looks: string }) {
  return (
    <a className={looks} href={href} target="_blank" rel="noopener noreferrer">
      <MessageCircle aria-hidden />
      <span>
        <Trans>Chat with us</Trans>
        <span className="sr-only">
          <span> </span>
          <Trans>(opens in a new tab)</Trans>
        </span>
      </span>
    </a>
  );
}

/** A phone number as a `tel:` link (RFC 3966): the leading plus and the digits. */
export function telephoneLink(phone: string): string {
  const plus = phone.trim().startsWith('+') ? '+' : '';
  return `tel:${plus}${phone.replaceAll(/\D/g, '')}`;
}
