import { Trans, useLingui } from '@lingui/react/macro';
import { serverNow } from '../../api/server-clock.ts';
import { errorWords } from '../../i18n/error-words.ts';
import { isLapsed, type PaymentView } from '../../payment-state/payment-view.ts';
import type { ResultKind } from './result-state.tsx';

/** What the state means for the customer. */
export function ResultWords({ kind, view }: { kind: ResultKind; view: PaymentView }) {
  switch (kind) {
    case 'succeeded':
      return <Succeeded view={view} />;
    case 'pending':
      return <Pending view={view} />;
    case 'failed':
      return <Failed code={view.failureCode} />;
    case 'cancelled':
      return (
        <p>
          <Trans>Nothing was charged.</Trans>
        </p>
      );
    case 'checking':
      return (
        <p>
          <Trans>Do not pay again. This page tells you as soon as your bank has answered.</Trans>
        </p>
      );
  }
}

function Succeeded({ view }: { view: PaymentView }) {
  const { i18n } = useLingui();
  const end = view.order?.serviceEnd;
  const date = end && i18n.date(new Date(end), { dateStyle: 'long' });
  return (
    <p>
      {date ? (
        <Trans>Thank you. Your access runs until {date}.</Trans>
      ) : (
        <Trans>Thank you. Your access is ready in the app.</Trans>
      )}
    </p>
  );
}

function Pending({ view }: { view: PaymentView }) {
  const { i18n } = useLingui();
  if (isLapsed(view, serverNow())) {
    return (
      <p>
        <Trans>The time to pay is over. You can pay this order again.</Trans>
      </p>
    );
  }
  const time = view.expiresAt && i18n.date(new Date(view.expiresAt), { timeStyle: 'short', dateStyle: 'medium' });
  return (
    <p>
      <Trans>This page changes by itself when the payment arrives.</Trans>{' '}
      {time ? <Trans>You can pay until {time}.</Trans> : null}
    </p>
  );
}

function Failed({ code }: { code: number | null }) {
  const { i18n } = useLingui();
  return (
    <>
      {code === null ? null : <p>{errorWords(i18n, code)}</p>}
      <p>
        <Trans>Nothing was charged. Your order is kept, so you can try again.</Trans>
      </p>
    </>
  );
}
