import { Trans } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useLanguage } from '../../i18n/active.ts';
import { DocumentText } from './document-text.tsx';
import styles from './privacy-page.module.css';
import { privacyQueries } from './privacy-queries.ts';

/** The terms of use and the privacy policy, on one page to read, each with its own address. */
export function PrivacyPage() {
  const language = useLanguage();
  const [termsOf, privacyOf] = privacyQueries(useDeferredValue(language));
  const terms = useSuspenseQuery(termsOf).data;
  const privacy = useSuspenseQuery(privacyOf).data;
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
      <DocumentText id="terms" document={terms} language={language} />
    </div>
  );
}
