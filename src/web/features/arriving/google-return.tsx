import { Trans } from '@lingui/react/macro';
import { Spinner } from '../../ui/spinner.tsx';
import type { SignOnNotice } from './sign-on-end.ts';
import { useGoogleReturn } from './use-google-return.ts';

interface GoogleReturnProps {
  onEntered: (returnTo: string | undefined) => void;
  onForm: (notice?: SignOnNotice) => void;
}

/** The moment between the provider and the storefront. */
export function GoogleReturn(props: GoogleReturnProps) {
  useGoogleReturn(props);
  return <Spinner label={<Trans>Signing in with Google…</Trans>} />;
}
