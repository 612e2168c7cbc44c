import { useLingui } from '@lingui/react/macro';
import { languageTable, type Language } from '#contract/fields.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import { Languages } from '#web/ui/icon.tsx';
import styles from './language-switch.module.css';

/** The native select lies transparently over two letters, so that it needs little space and opens as usual. */
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
        // as: the options are exactly the brand's languages
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
