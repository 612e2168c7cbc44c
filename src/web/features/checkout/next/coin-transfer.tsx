import { Trans, useLingui } from '@lingui/react/macro';
import { useId, type ReactNode } from 'react';
import { webAddress } from '#web/domain/payments/continue-at-provider.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { QrCode } from '#web/ui/scan-panel.tsx';
import { isZeroCoinAmount, walletLink, type ChosenCoin } from './stage.ts';
import { ScannedCode, WaitingLine } from './step-head.tsx';
import styles from './step.module.css';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';

interface CoinTransferProps {
  chosen: ChosenCoin;
  /** a page of the receiver, if there is one */
  walletPage: string | undefined;
  /** undefined if only this coin is accepted */
  onOtherCoin: (() => void) | undefined;
}

/** The amount and address: the missing amount after a partial payment, and the confirmations after a full one. */
export function CoinTransfer({ chosen, walletPage, onOtherCoin }: CoinTransferProps) {
  const { asset, network } = chosen;
  if (isZeroCoinAmount(chosen.missing)) return <CoinProgress chosen={chosen} />;
  return (
    <>
      {isZeroCoinAmount(chosen.received) ? null : <Underpaid chosen={chosen} />}
      <Alert
        tone="warning"
        title={
          <Trans>
            Send only {asset}, and only on the {network} network
          </Trans>
        }
      >
        <Trans>Anything sent as another coin or on another network is lost. No one can recover it.</Trans>
      </Alert>
      <WaysToSend chosen={chosen} walletPage={walletPage} />
      <Address chosen={chosen} />
      <WaitingLine>
        <Trans>Waiting for your coins. This page updates automatically.</Trans>
      </WaitingLine>
      <CoinCode chosen={chosen} />
      {onOtherCoin ? (
        <Button variant="quiet" onClick={onOtherCoin}>
          <Trans>Use another coin</Trans>
        </Button>
      ) : null}
    </>
  );
}

function Underpaid({ chosen: { received, missing, asset } }: { chosen: ChosenCoin }) {
  return (
    <Alert
      tone="warning"
      live="polite"
      title={
        <Trans>
          {missing} {asset} still to send
        </Trans>
      }
    >
      <Trans>
        We’ve received {received} {asset}. Send the rest to the same address before time runs out.
      </Trans>
    </Alert>
  );
}

/** Amount and address; after a partial payment only the rest, so that nobody sends the full amount again. */
function Address({ chosen }: { chosen: ChosenCoin }) {
  const { address, amount, missing, asset, network, received } = chosen;
  const whole = isZeroCoinAmount(received);
  const due = whole ? amount : missing;
  return (
    <dl className={styles.rows}>
      <CopyRow
        label={whole ? <Trans>Exact amount</Trans> : <Trans>Still to send</Trans>}
        text={due}
        copyLabel={<Trans>Copy amount</Trans>}
      >
        {`${due} ${asset}`}
      </CopyRow>
      <CopyRow label={<Trans>Address</Trans>} text={address} copyLabel={<Trans>Copy address</Trans>} />
      <div className={styles.row}>
        <dt>
          <Trans>Network</Trans>
        </dt>
        <dd>
          <span className={styles.value}>{network}</span>
        </dd>
      </div>
    </dl>
  );
}

/** The QR code for a wallet; after a partial payment it contains the address only. */
function CoinCode({ chosen: { uri, address, received } }: { chosen: ChosenCoin }) {
  const { t } = useLingui();
  return (
    <ScannedCode show={<Trans>Show QR code</Trans>}>
      <QrCode text={isZeroCoinAmount(received) ? uri : address} label={t`Payment code: scan it with your wallet`} />
    </ScannedCode>
  );
}

function WaysToSend({ chosen, walletPage }: Pick<CoinTransferProps, 'chosen' | 'walletPage'>) {
  const wallet = isZeroCoinAmount(chosen.received) ? walletLink(chosen.uri) : undefined;
  const page = walletPage === undefined ? undefined : webAddress(walletPage);
  return (
    <div className={styles.actions}>
      {wallet ? (
        <a className={buttonClass({ size: 'lg', wide: true })} href={wallet}>
          <Trans>Open wallet</Trans>
        </a>
      ) : null}
      {page ? (
        <a className={buttonClass({ variant: 'secondary', wide: true })} href={page}>
          <Trans>Open wallet page</Trans>
        </a>
      ) : null}
      <p className={styles.note}>
        <Trans>Wallet or exchange fees are extra: the exact amount must arrive.</Trans>
      </p>
    </div>
  );
}

/** The full amount has arrived, and the network confirms it block by block. */
function CoinProgress({ chosen }: { chosen: ChosenCoin }) {
  const { received, asset, confirmations, confirmationsNeeded: needed } = chosen;
  const id = useId();
  const done = Math.min(confirmations, needed);
  return (
    <section className={styles.box}>
      <h2 className={styles.boxTitle}>
        <Trans>
          {received} {asset} received
        </Trans>
      </h2>
      <p id={id} role="status">
        <Trans>
          {done} of {needed} confirmations
        </Trans>
      </p>
      <ProgressBar value={done} max={needed} aria-labelledby={id} />
      <p>
        <Trans>The network is confirming your payment. There’s nothing more to do, and you can close this page.</Trans>
      </p>
    </section>
  );
}

interface CopyRowProps {
  label: ReactNode;
  /** the copied text */
  text: string;
  /** the displayed text, if it differs */
  children?: ReactNode;
  /** accessible name of the copy button, for use without the row */
  copyLabel: ReactNode;
}

/** A value that is needed elsewhere, with a copy button. */
export function CopyRow({ label, text, children = text, copyLabel }: CopyRowProps) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value} translate="no">
          {children}
        </span>
        <CopyButton
          text={text}
          label={
            <>
              <span className={styles.word} aria-hidden>
                <Trans>Copy</Trans>
              </span>
              <span className="sr-only">{copyLabel}</span>
            </>
          }
          copiedLabel={
            <span className={styles.word}>
              <Trans>Copied</Trans>
            </span>
          }
          variant="quiet"
        />
      </dd>
    </div>
  );
}
