import styles from './account.module.css';

const radius = 42;
const length = 2 * Math.PI * radius;

/** The share of the plan that is left, as a ring. The words beside it say the same, so it is decoration to readers. */
export function RemainingRing({ share }: { share: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 100 100" aria-hidden fill="none" strokeWidth="9" strokeLinecap="round">
      <circle cx="50" cy="50" r={radius} stroke="var(--brand-soft)" />
      <circle
        cx="50"
        cy="50"
        r={radius}
        stroke="var(--brand)"
        strokeDasharray={`${length * Math.max(0.02, share)} ${length}`}
        transform="rotate(-90 50 50)"
      />
      <path d="M50 32v19l12 8" stroke="var(--brand-text)" strokeWidth="6" strokeLinejoin="round" />
    </svg>
  );
}
