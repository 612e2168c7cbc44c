import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { DeviceCard } from './device-card.tsx';
import { DeviceCodeForm } from './device-code-form.tsx';
import { useDevice } from './use-device.ts';

/** /device: opened by the QR code of a TV, or to type its code. `returnTo` is the link's target. */
export function DevicePage({ returnTo }: { returnTo: string | undefined }) {
  const { stage, found, yes, no, typeAgain, tooLate } = useDevice(returnTo);
  switch (stage.kind) {
    case 'type':
      return <DeviceCodeForm code="" problem={stage.problem} onFound={found} />;
    case 'looking':
      return <Spinner label={<Trans>Looking for your TV…</Trans>} />;
    case 'ask':
      return <DeviceCard {...stage} problem={stage.problem} onYes={yes} onNo={no} onExpired={tooLate} />;
    case 'connected':
      return <ConnectedMessage />;
    case 'refused':
      return <Refused onAgain={typeAgain} />;
  }
}

function ConnectedMessage() {
  return (
    <StatePage
      art={<StateArt kind="succeeded" />}
      title={<Trans>Done, look at your TV</Trans>}
      action={
        <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
          <Trans>See the plans</Trans>
        </Link>
      }
    >
      <p role="status">
        <Trans>It is signed in with your account in a moment. You can sign it out again in your account.</Trans>
      </p>
    </StatePage>
  );
}

function Refused({ onAgain }: { onAgain: () => void }) {
  return (
    <StatePage
      art={<StateArt kind="cancelled" />}
      title={<Trans>Nobody was signed in</Trans>}
      action={
        <>
          <Button onClick={onAgain}>
            <Trans>Type another code</Trans>
          </Button>
          <Link to="/" className={buttonClass({ variant: 'secondary' })}>
            <Trans>Go to the home page</Trans>
          </Link>
        </>
      }
    >
      <p role="status">
        <Trans>The code no longer works. If somebody sent it to you, do not answer them.</Trans>
      </p>
    </StatePage>
  );
}
