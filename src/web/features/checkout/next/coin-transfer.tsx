import { Trans, useLingui } from '@lingui/react/macro';
import { webAddress } from '../../../payment-state/web-address.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { CoinProgress } from './coin-progress.tsx';
import { isNoCoin, type ChosenCoin } from './coin-amount.ts';
import { CopyRow } from './copy-row.tsx';
import styles from './step.module.css';
import { walletLink } from './wallet-link.ts';

interface CoinTransferProps {
  chosen: ChosenCoin;
  /** a page of whoever receives the coins, where there is one */
  walletPage: string | undefined;
  /** undefined when nothing but this coin will do */
  onOtherCoin: (() => void) | undefined;
}

/** How much goes where: what is missing, once a part has come, and how far the network is when all has. */
export function CoinTransfer({ chosen, walletPage, onOtherCoin }: CoinTransferProps) {
  const { asset, network } = chosen;
  if (isNoCoin(chosen.missing)) return <CoinProgress chosen={chosen} />;
  return (
    <>
      {isNoCoin(chosen.received) ? null : <Underpaid chosen={chosen} />}
      <Alert
        tone="warning"
        title={
          <Trans>
            Send only {asset}, and only on the network {network}
          </Trans>
        }
      >
        <Trans>What is sent as another coin or on another network is lost, and nobody can bring it back.</Trans>
      </Alert>
      <Address chosen={chosen} />
      <WaysToSend chosen={chosen} walletPage={walletPage} />
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
          {missing} {asset} are still missing
        </Trans>
      }
    >
      <Trans>
        {received} {asset} have arrived. Send the rest to the same address before the time is over.
      </Trans>
    </Alert>
  );
}

/** Amount and address; of an amount that has come in part only the rest, so that nobody sends the whole again. */
function Address({ chosen }: { chosen: ChosenCoin }) {
  const { t } = useLingui();
  const { address, amount, missing, asset, network, uri, received } = chosen;
  const whole = isNoCoin(received);
  const due = whole ? amount : missing;
  return (
    <>
      <div className={styles.code}>
        <QrCode text={whole ? uri : address} label={t`Payment code: scan it with your wallet`} />
      </div>
      <dl className={styles.rows}>
        <CopyRow
          label={whole ? <Trans>Exact amount</Trans> : <Trans>Still to send</Trans>}
          text={due}
          copyLabel={<Trans>Copy the amount</Trans>}
        >
          {due} {asset}
        </CopyRow>
        <CopyRow label={<Trans>Address</Trans>} text={address} copyLabel={<Trans>Copy the address</Trans>} />
        <div className={styles.row}>
          <dt>
            <Trans>Network</Trans>
          </dt>
          <dd>
            <span className={styles.value}>{network}</span>
          </dd>
        </div>
      </dl>
    </>
  );
}

function WaysToSend({ chosen, walletPage }: Pick<CoinTransferProps, 'chosen' | 'walletPage'>) {
  const wallet = isNoCoin(chosen.received) ? walletLink(chosen.uri) : undefined;
  const page = walletPage === undefined ? undefined : webAddress(walletPage);
  return (
    <div className={styles.actions}>
      {wallet ? (
        <a className={buttonClass({ wide: true })} href={wallet}>
          <Trans>Open my wallet</Trans>
        </a>
      ) : null}
      {page ? (
        <a className={buttonClass({ variant: 'secondary', wide: true })} href={page}>
          <Trans>Open the page of the wallet</Trans>
        </a>
      ) : null}
      <p className={styles.note}>
        <Trans>Fees of your wallet or exchange come on top: the exact amount has to arrive.</Trans>
      </p>
    </div>
  );
}
