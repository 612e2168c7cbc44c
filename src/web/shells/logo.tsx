import { Link } from '@tanstack/react-router';
import { backSlot } from '#web/domain/notifications/install/back-slot.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import styles from './logo.module.css';

const { set: setBackSlot } = backSlot;

/**
 * The home link: the brand's logo, or its name beside a mark in its colour; before it, the slot of the back button
 * (`domain/notifications/install/back-control.tsx`).
 */
export function Logo() {
  const { theme, functionConfig } = useBrand();
  const { logo: image, avatar } = functionConfig.imgConfig;
  return (
    <span className={styles.start}>
      <span ref={setBackSlot} />
      <Link to="/" className={styles.logo}>
        {image ? (
          <img className={styles.image} src={image} alt={theme.name} height={32} />
        ) : (
          <Wordmark name={theme.name} mark={avatar} />
        )}
      </Link>
    </span>
  );
}

/** `mark`: the brand's own, where it has one. */
function Wordmark({ name, mark }: { name: string; mark: string | undefined }) {
  return (
    <>
      <svg className={styles.mark} viewBox="0 0 30 30" aria-hidden>
        {mark ? (
          <image href={mark} width="30" />
        ) : (
          <>
            <rect width="30" height="30" rx="9" fill="var(--fill)" />
            <path
              d="M11.5 8.6v12.8a.8.8 0 0 0 1.2.7l10-6.4a.8.8 0 0 0 0-1.4l-10-6.4a.8.8 0 0 0-1.2.7z"
              fill="var(--on-brand)"
            />
          </>
        )}
      </svg>
      <span className={styles.name} translate="no">
        {name}
      </span>
    </>
  );
}
