import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './qr-code.module.css';

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

/** `text` as a QR code; `label` says what scanning it does. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = useMemo(() => encode(text, { ecc: 'M', border: quietZone }), [text]);
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={darkPath(code.data)} fill="currentColor" />
    </svg>
  );
}
