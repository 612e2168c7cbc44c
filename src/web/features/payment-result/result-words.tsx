import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import type { NextStepOf } from '../../../contract/next-step.ts';
import { serverNow } from '../../api/server-clock.ts';
import { ensureWords } from '../../i18n/catalogs.ts';
import { errorWords } from '../../i18n/error-words.ts';
import { awaitsAnswer, type PaymentView } from '../../payment-state/payment-view.ts';
import { isChargeUnknown, UnknownCharge } from '../../payment-state/unknown-charge.tsx';
import { PendingWords } from './pending-words.tsx';
import type { ResultKind } from './result-kind.ts';

interface ResultWordsProps {
  kind: ResultKind;
  view: PaymentView;
  wants: NextStepOf<'redirect'> | undefined;
}

/** What the state means for the customer. */
export function ResultWords({ kind, view, wants }: ResultWordsProps) {
  switch (kind) {
    case 'succeeded':
      return <Succeeded view={view} />;
    case 'pending':
      return <PendingWords view={view} wants={wants} />;
    case 'lapsed':
      return (
        <p>
          <Trans>The time to pay is over. You can pay this order again.</Trans>
        </p>
      );
    case 'failed':
      return <Failed code={view.failureCode} />;
    case 'cancelled':
      return (
        <p>
          <Trans>Nothing was charged.</Trans>
        </p>
      );
    case 'checking':
      return <Checking view={view} />;
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

function Checking({ view }: { view: PaymentView }) {
  return (
    <p>
      {awaitsAnswer(view, serverNow()) ? (
        <Trans>We have not heard yet whether you confirmed the payment. This page changes as soon as we know.</Trans>
      ) : (
        <Trans>Do not pay again. This page tells you as soon as your bank has answered.</Trans>
      )}
    </p>
  );
}

function Failed({ code }: { code: number | null }) {
  const { i18n } = useLingui();
  useEffect(() => {
    // the refusal came with the state and not as an error, so nobody has brought its words yet
    void ensureWords('errors');
  }, []);
  if (isChargeUnknown(code)) {
    return (
      <p>
        <UnknownCharge />
      </p>
    );
  }
  return (
    <>
      {code === null ? null : <p>{errorWords(i18n, code)}</p>}
      <p>
        <Trans>Nothing was charged. Your order is kept, so you can try again.</Trans>
      </p>
    </>
  );
}
