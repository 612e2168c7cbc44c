import { Trans } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useLanguage } from '#web/platform/i18n/active.ts';
import styles from './privacy-page.module.css';
import { privacyQueries } from './help-queries.ts';
import type { Document } from '#contract/documents.ts';
import type { Elements } from '#web/ui/elements.ts';
import { Sections } from '#web/ui/sections.tsx';
import { useWithdrawalDays, WithdrawalAnswer, WithdrawalTitle } from './withdrawal-help.tsx';

/** The terms of use and the privacy policy on one page, each with its own URL. */
export function PrivacyPage() {
  const language = useLanguage();
  const [termsOf, privacyOf] = privacyQueries(useDeferredValue(language));
  const terms = useSuspenseQuery(termsOf).data;
  const privacy = useSuspenseQuery(privacyOf).data;
  const days = useWithdrawalDays();
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>
          <Trans>Privacy and terms</Trans>
        </h1>
        <ul className={styles.jumps}>
          <li>
            <a href="#privacy">{privacy.title}</a>
          </li>
          <li>
            <a href="#terms">{terms.title}</a>
          </li>
        </ul>
      </header>
      <DocumentText id="privacy" document={privacy} language={language} />
      <DocumentText id="terms" document={terms} language={language}>
        {days === undefined ? null : (
          <section className={styles.section}>
            <h3>
              <WithdrawalTitle />
            </h3>
            <WithdrawalAnswer days={days} />
          </section>
        )}
      </DocumentText>
    </div>
  );
}

interface DocumentTextProps {
  id: string;
  document: Document;
  language: string;
  children?: Elements;
}

/** A document of the operator. Its date is the same for all readers, so it is formatted in UTC. */
function DocumentText({ id, document, language, children }: DocumentTextProps) {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(document.updatedAt);
  return (
    <article className={styles.document} id={id}>
      <h2>{document.title}</h2>
      <p className={styles.date} suppressHydrationWarning>
        <Trans>Last updated on {date}</Trans>
      </p>
      <Sections sections={document.sections} className={styles.section} />
      {children}
    </article>
  );
}
