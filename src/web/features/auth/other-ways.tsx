import { Trans } from '@lingui/react/macro';
import styles from '../../account-form/auth-form.module.css';
import { GoogleButton, useGoogleClient } from '../../account-form/google-button.tsx';
import { useBrand } from '../../brand/brand-context.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { OrDivider } from '../../ui/or-divider.tsx';

/** Google, and the brand's own login elsewhere, where it has them. */
export function OtherWays({ returnTo }: { returnTo: string | undefined }) {
  const client = useGoogleClient();
  const { webLink } = useBrand().siteConfig.login;
  if (!client && !webLink) return null;
  return (
    <div className={styles.ways}>
      <OrDivider>
        <Trans>or</Trans>
      </OrDivider>
      {client ? <GoogleButton client={client} returnTo={returnTo} /> : null}
      {webLink ? <WebLink href={webLink} /> : null}
    </div>
  );
}

/** The host is told, because it is another site's. */
function WebLink({ href }: { href: string }) {
  const { host } = new URL(href);
  return (
    <a className={buttonClass({ variant: 'secondary', wide: true })} href={href} rel="noopener noreferrer">
      <span>
        <Trans>Log in on {host}</Trans>
      </span>
    </a>
  );
}
