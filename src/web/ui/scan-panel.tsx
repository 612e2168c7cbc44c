import { type ReactNode, useMemo } from 'react';
import { Ring } from './spinner.tsx';
import styles from './scan-panel.module.css';
import { encode } from 'uqr';
import qrStyles from './qr-code.module.css';
import { scannableImage } from './scannable-image.ts';

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

/** Modules of white around the code; scanners need four. */
const quietZone = 4;

/** One path for all dark modules: a run in a row is one rectangle. */
function darkPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .map((row, y) => {
      let path = '';
      for (let x = 0; x < row.length; x += 1) {
        const start = x;
        while (row[x]) x += 1;
        if (x > start) path += `M${start} ${y}h${x - start}v1h-${x - start}z`;
      }
      return path;
    })
    .join('');
}

/** The URL of an image of the code. */
export function qrImage(text: string): string {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  return scannableImage({ width: size, height: size, path: darkPath(data) });
}

/** `text` as a QR code; `label` says what scanning it does. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const image = useMemo(() => qrImage(text), [text]);
  return <img className={qrStyles.qr} src={image} alt={label} />;
}
