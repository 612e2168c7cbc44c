import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './step.module.css';

interface CopyRowProps {
  label: ReactNode;
  /** the copied text */
  text: string;
  /** the displayed text, if it differs */
  children?: ReactNode;
  /** accessible name of the copy button, for use without the row */
  copyLabel: ReactNode;
}

/** A value that is needed elsewhere, with a copy button. */
export function CopyRow({ label, text, children = text, copyLabel }: CopyRowProps) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value} translate="no">
          {children}
        </span>
        <CopyButton
          text={text}
          label={
            <>
              <span className={styles.word} aria-hidden>
                <Trans>Copy</Trans>
              </span>
              <span className="sr-only">{copyLabel}</span>
            </>
          }
          copiedLabel={
            <span className={styles.word}>
              <Trans>Copied</Trans>
            </span>
          }
          variant="quiet"
        />
      </dd>
    </div>
  );
}
