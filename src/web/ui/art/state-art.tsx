export type StateKind =
  | 'missing'
  | 'error'
  | 'offline'
  | 'empty'
  | 'notice'
  | 'succeeded'
  | 'pending'
  | 'failed'
  | 'cancelled'
  | 'checking';

/** The line drawing on the disc, on a grid of 96. */
const drawings: Readonly<Record<StateKind, string>> = {
  missing: 'M42 62a20 20 0 1 1 20-20 20 20 0 0 1-20 20zM57 57l15 15M35 35l14 14M49 35 35 49',
  error: 'M48 24 22 70h52zM48 42v12M48 62v.5',
  offline:
    'M26 44a32 32 0 0 1 12-8M58 36a32 32 0 0 1 12 8M35 54a19 19 0 0 1 13-5M61 54a19 19 0 0 0-4-3M48 66v.5M28 26l42 46',
  empty: 'M26 52l8-22h28l8 22v16a4 4 0 0 1-4 4H30a4 4 0 0 1-4-4zM26 52h14l3 7h10l3-7h14',
  notice: 'M48 44v22M48 31v.5',
  succeeded: 'M32 49l11 11 22-24',
  pending: 'M48 30v18l12 8',
  failed: 'M36 36l24 24M60 36 36 60',
  cancelled: 'M34 48h28',
  checking: 'M64 42a18 18 0 0 0-32-4M32 54a18 18 0 0 0 32 4M32 28v10h10M64 68V58H54',
};

const tones: Readonly<Record<StateKind, string>> = {
  missing: 'brand',
  error: 'warning',
  offline: 'brand',
  empty: 'brand',
  notice: 'brand',
  succeeded: 'success',
  pending: 'warning',
  failed: 'danger',
  cancelled: 'brand',
  checking: 'brand',
};

/** A disc with a drawing, for state pages. */
export function StateArt({ kind }: { kind: StateKind }) {
  const tone = tones[kind];
  const ink = tone === 'brand' ? 'var(--brand-text)' : `var(--${tone})`;
  return (
    <svg width="160" height="128" viewBox="-32 -16 160 128" aria-hidden fill="none" stroke={ink} strokeLinecap="round">
      <circle cx="48" cy="48" r="48" fill={`var(--${tone}-soft)`} stroke="none" />
      <path d="M-22 78h20M100 84h16M-14 14v.5M112 24v.5M-6-2v.5M118 46v.5" strokeOpacity=".4" strokeWidth="5" />
      <path d={drawings[kind]} strokeWidth="5" strokeLinejoin="round" />
    </svg>
  );
}
