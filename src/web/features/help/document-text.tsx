import { Trans } from '@lingui/react/macro';
import type { Document } from '../../../contract/site.ts';
import { Sections } from '../../ui/sections.tsx';
import styles from './privacy-page.module.css';

interface DocumentTextProps {
  id: string;
  document: Document;
  language: string;
}

/** A text of the operator's. The date is the same for all readers, so it is told in UTC. */
export function DocumentText({ id, document, language }: DocumentTextProps) {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(document.updatedAt);
  return (
    <article className={styles.document} id={id}>
      <h2>{document.title}</h2>
      <p className={styles.date} suppressHydrationWarning>
        <Trans>Last changed on {date}</Trans>
      </p>
      <Sections sections={document.sections} className={styles.section} />
    </article>
  );
}
