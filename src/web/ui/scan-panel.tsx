import type { ReactNode } from 'react';
import { QrCode } from './qr-code.tsx';
import { Ring } from './spinner.tsx';
import styles from './scan-panel.module.css';

interface ScanPanelProps {
  /** the content of the code; undefined while it is loading */
  text: string | undefined;
  /** what scanning it does */
  label: string;
  children: ReactNode;
}

/** On a TV: a code that a phone can scan from the sofa, and text beside it. */
export function ScanPanel({ text, label, children }: ScanPanelProps) {
  return (
    <section className={styles.panel}>
      <ScanCode text={text} label={label} />
      <div className={styles.words}>{children}</div>
    </section>
  );
}

/** The code alone; its space is reserved while it is loading. */
export function ScanCode({ text, label }: Omit<ScanPanelProps, 'children'>) {
  return (
    <div className={styles.code} aria-busy={text === undefined}>
      {text === undefined ? <Ring /> : <QrCode text={text} label={label} />}
    </div>
  );
}
