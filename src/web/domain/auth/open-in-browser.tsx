import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Alert } from '#web/ui/alert.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** Explains why a feature is missing inside another app and how to open the page in a browser. */
function OpenInBrowser({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Alert
      tone="info"
      title={title}
      action={
        <CopyButton
          text={location.href}
          label={<Trans>Copy this page’s address</Trans>}
          copiedLabel={<Trans>Copied</Trans>}
        />
      }
    >
      <p>{children}</p>
      <p>
        <Trans>Open this app’s menu and choose “Open in browser”, or paste the address into your browser.</Trans>
      </p>
    </Alert>
  );
}

export function GoogleInBrowser() {
  return (
    <OpenInBrowser title={<Trans>Google works only in your browser</Trans>}>
      <Trans>
        Google doesn’t allow logins inside other apps. Log in with your email or phone number, or open your browser.
      </Trans>
    </OpenInBrowser>
  );
}

export function DownloadInBrowser() {
  return (
    <OpenInBrowser title={<Trans>Open this page in your browser to download</Trans>}>
      <Trans>This page is open inside another app, which can’t save files.</Trans>
    </OpenInBrowser>
  );
}
