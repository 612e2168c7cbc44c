import { Trans } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { ChevronDown } from '#web/ui/icon.tsx';
import { Contact } from './contact.tsx';
import styles from './help-page.module.css';
import { helpQueries } from './help-queries.ts';
import { useWithdrawalDays, WithdrawalAnswer, WithdrawalTitle } from './withdrawal-help.tsx';

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
