import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './step.module.css';

interface CopyRowProps {
  label: ReactNode;
  /** as it is copied */
  text: string;
  /** as it is shown, where that is not the same */
  children?: ReactNode;
  /** what is copied, for those who hear the buttons without the rows */
  copyLabel: ReactNode;
}

/** One thing that is to be written elsewhere, with its own way to take it there. */
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
