import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { languageTable } from '#contract/fields.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import styles from './main-layout.module.css';

export function Footer() {
  const { theme } = useBrand();
  return (
    <footer className={styles.footer}>
      <div className={styles.footerRow}>
        <span translate="no">{theme.name}</span>
        <Link to="/privacy" hash="terms">
          <Trans>Terms of Use</Trans>
        </Link>
        <Link to="/privacy">
          <Trans>Privacy Policy</Trans>
        </Link>
        <Link to="/help">
          <Trans>Help</Trans>
        </Link>
        <LanguageLinks />
      </div>
    </footer>
  );
}

/** Real links, so that languages work without a script; with one, typed input is not lost. */
function LanguageLinks() {
  const { t } = useLingui();
  const { siteConfig } = useBrand();
  const active = useLanguage();
  if (siteConfig.langs.length < 2) return null;
  return (
    <nav className={styles.languages} aria-label={t`Language`}>
      {siteConfig.langs.map((code) => (
        <a
          key={code}
          href={`?language=${code}`}
          lang={code}
          hrefLang={code}
          aria-current={code === active || undefined}
          onClick={(event) => {
            event.preventDefault();
            void setLanguage(code);
          }}
        >
          {languageTable[code].name}
        </a>
      ))}
    </nav>
  );
}
