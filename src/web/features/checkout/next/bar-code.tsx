import { useMemo } from 'react';
import { interleavedBars } from './interleaved-bars.ts';
import styles from './ticket.module.css';

/** The digits as bars, for the scanner of a bank; one path, as sharp as the screen or the printer can. */
export function BarCode({ digits, label }: { digits: string; label: string }) {
  const { path, size } = useMemo(() => {
    const { bars, size: width } = interleavedBars(digits);
    return { path: bars.map((bar) => `M${bar.x} 0h${bar.width}v1h-${bar.width}z`).join(''), size: width };
  }, [digits]);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${size} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
