import { useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { LifeBuoy, Languages } from '#web/ui/icon.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import styles from './main-layout.module.css';
import { OfflineNote } from './content.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { languageTable, type Language } from '#contract/fields.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import switchStyles from './language-switch.module.css';
import { backSlot } from './back-slot.ts';
import logoStyles from './logo.module.css';
import chatStyles from './chat-link.module.css';

/**
 * The same on every page: the brand, the language, help. `children` is the navigation, `who` the signed-in customer,
 * where a page leads elsewhere.
 */
export function Header({ children, who }: { children?: Elements; who?: Elements }) {
  const { t } = useLingui();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Logo />
        {children}
        <div className={styles.tools}>
          <LanguageSwitch />
          <Link to="/help" className={styles.tool} aria-label={t`Help`}>
            <LifeBuoy aria-hidden />
          </Link>
          {who}
        </div>
      </div>
      <OfflineNote />
    </header>
  );
}

/** The native select lies transparently over two letters, so that it needs little space and opens as usual. */
export function LanguageSwitch() {
  const { t } = useLingui();
  const { siteConfig } = useBrand();
  const language = useLanguage();
  if (siteConfig.langs.length < 2) return null;
  return (
    <span className={switchStyles.switch}>
      <Languages aria-hidden />
      <span className={switchStyles.code} aria-hidden>
        {language}
      </span>
      <select
        className={switchStyles.select}
        name="language"
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

const { set: setBackSlot } = backSlot;

/**
 * The home link: the brand's logo, or its name beside a mark in its colour; before it, the slot of the back button
 * (`shells/back-button.tsx`).
 */
export function Logo() {
  const { theme, functionConfig } = useBrand();
  const { logo: image, avatar } = functionConfig.imgConfig;
  return (
    <span className={logoStyles.start}>
      <span ref={setBackSlot} />
      <Link to="/" className={logoStyles.logo}>
        {image ? (
          <img className={logoStyles.image} src={image} alt={theme.name} height={32} />
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
      <svg className={logoStyles.mark} viewBox="0 0 30 30" aria-hidden>
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
      <span className={logoStyles.name} translate="no">
        {name}
      </span>
    </>
  );
}

const LateChat = lazyPart(() => import('./extras.tsx').then((part) => part.ChatLink));

/** The link to a support chat, for brands that have one; last in every layout. Its HTML works before its code comes. */
export function ChatLink() {
  const { chatLink } = useBrand().siteConfig;
  return chatLink ? <LateChat href={chatLink} styles={chatStyles} /> : null;
}
