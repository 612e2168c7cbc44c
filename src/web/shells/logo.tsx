import { Link } from '@tanstack/react-router';
import { useBrand } from '../brand/brand-context.tsx';
import styles from './logo.module.css';

/** The way home: the brand's own logo, or its name beside a mark in its colour. */
export function Logo() {
  const { theme, functionConfig } = useBrand();
  const image = functionConfig.imgConfig.logo;
  return (
    <Link to="/" className={styles.logo}>
      {image ? (
        <img className={styles.image} src={image} alt={theme.name} height={32} />
      ) : (
        <Wordmark name={theme.name} />
      )}
    </Link>
  );
}

function Wordmark({ name }: { name: string }) {
  return (
    <>
      <svg className={styles.mark} viewBox="0 0 30 30" aria-hidden>
        <rect width="30" height="30" rx="9" fill="var(--brand)" />
        <path
          d="M11.5 8.6v12.8a.8.8 0 0 0 1.2.7l10-6.4a.8.8 0 0 0 0-1.4l-10-6.4a.8.8 0 0 0-1.2.7z"
          fill="var(--on-brand)"
        />
      </svg>
      <span className={styles.name}>{name}</span>
    </>
  );
}
