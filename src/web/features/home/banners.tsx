import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { useLanguage } from '../../i18n/active.ts';
import { ArrowRight } from '../../ui/icon.tsx';
import { bannerQuery } from './home-queries.ts';
import styles from './home-page.module.css';

/** What the shop wants to say today, one line each. */
export function Banners() {
  const { data } = useQuery(bannerQuery(useDeferredValue(useLanguage())));
  if (!data?.length) return null;
  return (
    <ul className={styles.banners}>
      {data.map(({ id, text, link }) => (
        <li key={id}>
          {link ? (
            <Link to={link} className={styles.banner}>
              {text}
              <ArrowRight aria-hidden />
            </Link>
          ) : (
            <span className={styles.banner}>{text}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
