import type { ReactNode } from 'react';
import { QrCode } from './qr-code.tsx';
import { Ring } from './spinner.tsx';
import styles from './scan-panel.module.css';

interface ScanPanelProps {
  /** what the code holds; undefined while it is on its way */
  text: string | undefined;
  /** what scanning it does */
  label: string;
  children: ReactNode;
}

/** On a TV: a code as large as a phone on the sofa needs it, and the words beside it. */
export function ScanPanel({ text, label, children }: ScanPanelProps) {
  return (
    <section className={styles.panel}>
      <ScanCode text={text} label={label} />
      <div className={styles.words}>{children}</div>
    </section>
  );
}

/** The code alone; its place is kept until it is there. */
export function ScanCode({ text, label }: Omit<ScanPanelProps, 'children'>) {
  return (
    <div className={styles.code} aria-busy={text === undefined}>
      {text === undefined ? <Ring /> : <QrCode text={text} label={label} />}
    </div>
  );
}
