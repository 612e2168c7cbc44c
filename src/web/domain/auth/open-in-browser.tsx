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
          label={<Trans>Copy the address of this page</Trans>}
          copiedLabel={<Trans>Copied</Trans>}
        />
      }
    >
      <p>{children}</p>
      <p>
        <Trans>Open the menu of this app and choose “Open in browser”, or paste the address into your browser.</Trans>
      </p>
    </Alert>
  );
}

export function GoogleInBrowser() {
  return (
    <OpenInBrowser title={<Trans>Google works in your browser only</Trans>}>
      <Trans>Google refuses logins inside other apps. Use your email or phone number here, or open your browser.</Trans>
    </OpenInBrowser>
  );
}

export function DownloadInBrowser() {
  return (
    <OpenInBrowser title={<Trans>Open this page in your browser to download</Trans>}>
      <Trans>You are reading this page inside another app, which cannot save files.</Trans>
    </OpenInBrowser>
  );
}
