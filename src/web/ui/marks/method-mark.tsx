import { lazyPart } from '../lazy-part.tsx';
import type { Elements } from '../elements.ts';

const MethodDrawing = lazyPart(async () => (await import('./method-drawings.tsx')).MethodDrawing);
const SchemeDrawing = lazyPart(async () => (await import('./scheme-drawings.tsx')).SchemeDrawing);
const CoinDrawing = lazyPart(async () => (await import('./scheme-drawings.tsx')).CoinDrawing);

/**
 * Logos of methods, card schemes and coins belong to their owners, whose requirements are in README.md beside this
 * file. They are decorative beside the name, which screen readers announce. The frame is rendered at once and reserves
 * the space; the drawings are two chunks that only pages with logos load.
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
  /** its family, for a method without a logo of its own */
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

/** `coin`: its symbol at exchanges, such as BTC. */
export function CoinMark({ coin }: { coin: string }) {
  return (
    <svg width="28" height="28" viewBox="0 0 24 24" aria-hidden>
      <CoinDrawing coin={coin} />
    </svg>
  );
}
