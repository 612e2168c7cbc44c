import { late } from '../late.tsx';
import type { Elements } from '../elements.ts';

const MethodDrawing = late(async () => (await import('./method-drawings.tsx')).MethodDrawing);
const SchemeDrawing = late(async () => (await import('./scheme-drawings.tsx')).SchemeDrawing);
const CoinDrawing = late(async () => (await import('./scheme-drawings.tsx')).CoinDrawing);

/**
 * [Note: Marks] Marks of methods, card schemes and coins belong to others: what their owners ask for is in README.md beside
 * this file. They stand beside the name, which is what readers hear. The frame is there at once and keeps their room; the
 * drawings are two files that only pages with marks fetch.
 */
export function MarkFrame({ children }: { children?: Elements }) {
  return (
    <svg width="36" height="24" viewBox="0 0 36 24" aria-hidden>
      <rect x=".5" y=".5" width="35" height="23" rx="4" fill="var(--surface)" stroke="var(--line)" />
      {children}
    </svg>
  );
}

interface MethodMarkProps {
  code: string;
  /** its family, for a method without a mark of its own */
  icon: string;
}

export function MethodMark(method: MethodMarkProps) {
  return (
    <MarkFrame>
      <MethodDrawing {...method} />
    </MarkFrame>
  );
}

export function SchemeMark({ scheme }: { scheme: string }) {
  return (
    <MarkFrame>
      <SchemeDrawing scheme={scheme} />
    </MarkFrame>
  );
}

/** `coin`: its sign at exchanges, such as BTC. */
export function CoinMark({ coin }: { coin: string }) {
  return (
    <svg width="28" height="28" viewBox="0 0 24 24" aria-hidden>
      <CoinDrawing coin={coin} />
    </svg>
  );
}
