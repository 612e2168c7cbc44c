import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { currencyList } from '#contract/plan.ts';
import { languageTable, type Language } from '#contract/fields.ts';
import { q } from '#web/platform/api/query.ts';
import { useBrand, useWantedCurrency, setWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import { whenLanguageSaved } from '#web/platform/api/wording.ts';
import { setTheme, useTheme, type Theme } from '#web/platform/brand/theme.ts';
import { Segmented } from '#web/ui/segmented.tsx';
import { Select } from '#web/ui/select.tsx';
import { useSettingsSaved } from './settings-query.ts';
import styles from './settings.module.css';

/** Language, currency and theme of this device. `mails`: the language of emails. */
export function AppearanceRows({ mails }: { mails: Language }) {
  return (
    <>
      <LanguageRow mails={mails} />
      <CurrencyRow />
      <ThemeRow />
    </>
  );
}

function LanguageRow({ mails }: { mails: Language }) {
  const { t } = useLingui();
  const { langs } = useBrand().siteConfig;
  const language = useLanguage();
  const saved = useSettingsSaved();
  const choose = async (wanted: Language) => {
    if (!(await setLanguage(wanted))) return;
    await whenLanguageSaved();
    saved({});
  };
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(mails) ?? languageTable[mails].name;
  return (
    <div className={styles.row}>
      <div className={styles.form}>
        <Select
          label={t`Language`}
          hint={t`We email you in ${name}.`}
          value={language}
          // the options are exactly the brand's languages
          onChange={(event) => void choose(event.target.value as Language)}
        >
          {langs.map((code) => (
            <option key={code} value={code} lang={code}>
              {languageTable[code].name}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}

/** The currencies that the shop sells in. */
export const currenciesQuery = q(currencyList, undefined, { quiet: true });

/** For shops that sell in several currencies. */
function CurrencyRow() {
  const { t, i18n } = useLingui();
  const { defaultCurrency } = useBrand().siteConfig.payment;
  const { data: currencies = [] } = useQuery(currenciesQuery);
  const wanted = useWantedCurrency() ?? defaultCurrency;
  if (currencies.length < 2) return null;
  const names = new Intl.DisplayNames([i18n.locale], { type: 'currency' });
  return (
    <div className={styles.row}>
      <div className={styles.form}>
        <Select
          label={t`Currency`}
          hint={t`On this device, prices are shown in this currency where available.`}
          value={wanted}
          onChange={(event) => setWantedCurrency(event.target.value)}
        >
          {currencies.map(({ code }) => (
            <option key={code} value={code}>
              {`${code} – ${names.of(code) ?? code}`}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}

/** A TV is always dark. */
function ThemeRow() {
  const { t } = useLingui();
  const theme = useTheme();
  if (document.documentElement.dataset['screen'] === 'TV') return null;
  return (
    <div className={styles.row}>
      <div className={styles.words} aria-hidden>
        <b>
          <Trans>Theme</Trans>
        </b>
      </div>
      <div className={styles.form}>
        <Segmented<Theme>
          legend={t`Theme`}
          name="theme"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'system', label: t`System` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
        />
      </div>
    </div>
  );
}
