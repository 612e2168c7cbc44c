import { useLingui } from '@lingui/react/macro';
import { languageTable, type Language } from '#contract/fields.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import { Languages } from '#web/ui/icon.tsx';
import styles from './language-switch.module.css';

/** The platform's own list lies invisibly over two letters, so that it takes little room and opens like any other. */
export function LanguageSwitch() {
  const { t } = useLingui();
  const { siteConfig } = useBrand();
  const language = useLanguage();
  if (siteConfig.langs.length < 2) return null;
  return (
    <span className={styles.switch}>
      <Languages aria-hidden />
      <span className={styles.code} aria-hidden>
        {language}
      </span>
      <select
        className={styles.select}
        aria-label={t`Language`}
        value={language}
        // the options are exactly the brand's languages
        onChange={(event) => void setLanguage(event.target.value as Language)}
      >
        {siteConfig.langs.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageTable[code].name}
          </option>
        ))}
      </select>
    </span>
  );
}
