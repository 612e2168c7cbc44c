import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import type { Order } from '#contract/order.ts';
import type { StepType } from '#contract/next-step.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { OrderSummaryLine } from './step-head.tsx';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { paymentMethods } from '#contract/billing.ts';
import { paymentInfo } from '#contract/orders.ts';
import { showAnswer } from './use-step-options.ts';
import { callErrorOf } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { getSession } from '#web/platform/session/session.ts';
import { noTip, isSameMoney } from '../act/pay-machine.ts';
import { createPaySession } from '../act/pay-session.ts';
import { ownPayerQuery } from '#web/domain/payments/payer/known-payer.tsx';
import { requiredGroups, emptyPayerForm, acceptsCards } from '#web/domain/payments/payer/payer-form.ts';
import { mobileOwner, restorePayer } from '#web/domain/payments/payer/payer-memory.ts';
import { payerProblems } from '#web/domain/payments/payer/payer-problems.ts';
import { quoteQuery, type PriceInput } from '../price/use-purchase.ts';
import { useAction } from '#web/platform/form/use-api-mutation.ts';

interface ExpiredMessages {
  readonly title: MessageDescriptor;
  readonly text: MessageDescriptor;
  readonly action: MessageDescriptor;
}

const untaken: ExpiredMessages = {
  title: msg`Your time to pay has run out`,
  text: msg`If you’ve just paid, nothing is lost: we ask before you pay again, and refund anything paid twice.`,
  action: msg`Try again`,
};

const words: Readonly<Record<StepType, ExpiredMessages>> = {
  qr: {
    title: msg`This code has expired`,
    text: msg`Don’t pay the old code. If you’ve just paid it, nothing is lost: it’ll appear in your orders.`,
    action: msg`Generate a new code`,
  },
  ticket: {
    title: msg`This boleto has expired`,
    text: msg`Don’t pay the old boleto. If you’ve just paid it, nothing is lost: it’ll appear in your orders.`,
    action: msg`Get a new boleto`,
  },
  crypto: {
    title: msg`This amount has expired`,
    text: msg`The rate has changed. Don’t send anything more to the old address. What you’ve sent isn’t lost: it’ll appear in your orders.`,
    action: msg`Get a new amount`,
  },
  upload: {
    title: msg`The time for this transfer has run out`,
    text: msg`Don’t use the old code. If you’ve already made the transfer, nothing is lost: contact us.`,
    action: msg`Get a new code`,
  },
  otp: {
    title: msg`This code has expired`,
    text: msg`Try again to get a new code. If the old one was accepted at the last moment, we’ll notice before you pay again.`,
    action: msg`Try again`,
  },
  push: untaken,
  redirect: untaken,
};

/** For a customer who scanned the picture of a code, as the brand's app links them. */
const scanned: ExpiredMessages = {
  title: msg`This code is from an expired order`,
  text: msg`You can no longer scan it. Get a new code for the same order and scan that one. If you’ve already made the transfer, nothing is lost: contact us.`,
  action: msg`Get a new code`,
};

interface ExpiredStepProps {
  of: StepType;
  order: Order;
  /** the customer scanned a code and has to scan another */
  scansAgain: boolean;
  /** the state is being read again: the order may have been paid at the last second */
  checking: boolean;
  onRenewed: () => void;
  onRenewing?: (isRenewing: boolean) => void;
}

/** The expired step was removed; the same order gets a new one. */
export function ExpiredStep({ of, order, scansAgain, checking, onRenewed, onRenewing }: ExpiredStepProps) {
  const { i18n } = useLingui();
  const { isPending, make } = useNewCode({ order, checking, made: onRenewed, ...(onRenewing && { onRenewing }) });
  const said = scansAgain ? scanned : words[of];
  return (
    <StatePage
      art={<StateArt kind="cancelled" />}
      title={i18n._(said.title)}
      action={
        <>
          <Button busy={isPending} onClick={make}>
            <span>{i18n._(said.action)}</span>
          </Button>
          <Link to="/orders" className={buttonClass({ variant: 'secondary' })}>
            <Trans>View my orders</Trans>
          </Link>
        </>
      }
    >
      <OrderSummaryLine order={order} />
      <p>{i18n._(said.text)}</p>
    </StatePage>
  );
}

interface NewCode {
  order: Order | undefined;
  /** the payment's state is being read: a tap waits for it, and is dropped if the order was paid */
  checking: boolean;
  /** the page has a new code to show; otherwise the checkout opens */
  made: () => void;
  /** the order is being repaid: until then, reads of its state contain no step */
  onRenewing?: (isRenewing: boolean) => void;
}

/** The button "Generate a new code". */
function useNewCode({ order, checking, made, onRenewing }: NewCode) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const checked = useWaitUntilChecked(checking);
  const { mutate, isPending } = useAction(async () => {
    const uid = getSession()?.uid;
    if (!order || !uid) return {};
    await checked();
    onRenewing?.(true);
    const done = await makeNewCode(order, uid, client).finally(() => onRenewing?.(false));
    if (done) made();
    else await navigate({ href: repayPath(order) });
    return {};
  });
  return { isPending, make: mutate };
}

/** Waits until no read is in progress; never resolves after unmounting. */
function useWaitUntilChecked(checking: boolean): () => Promise<void> {
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    if (!checking) for (const goOn of waiting.current.splice(0)) goOn();
  }, [checking]);
  return async () => {
    if (checking) await new Promise<void>((goOn) => waiting.current.push(goOn));
  };
}

/** The checkout that requests the missing data, with the order to repay in its URL. */
function repayPath({ planId, orderId }: Order): string {
  return `/payment?${new URLSearchParams({ planId, orderId, step: 'details' })}`;
}

/**
 * Repays the same order with the same terms in one tap, if this tab still has the payer and the price is unchanged.
 * True when the order has a new code; otherwise the checkout continues.
 */
async function makeNewCode(order: Order, uid: string, client: QueryClient): Promise<boolean> {
  try {
    const ready = await readyToRepay(order, uid, client);
    if (!ready) return false;
    const session = createPaySession({ uid, planId: order.planId, orderId: order.orderId, tip: noTip, client });
    const leave = session.open();
    const state = await session.tap({ ...ready, installments: 1, shown: order.total });
    leave();
    if (state.phase !== 'next') return false;
    // a read that started before the response has no code yet
    await client.cancelQueries({ queryKey: q(paymentInfo, { body: { orderId: order.orderId } }).queryKey });
    showAnswer(client, order.orderId, state.answer);
    return true;
  } catch (error) {
    if (!callErrorOf(error)) throw error;
    return false;
  }
}

async function readyToRepay(order: Order, uid: string, client: QueryClient) {
  const { orderId, planId, methodCode, total, discountCode } = order;
  const { currency } = total;
  const methods = await client.fetchQuery(q(paymentMethods, { body: { planId, currency } }, { quiet: true }));
  const method = methods.find(({ code }) => code === methodCode);
  if (!method || acceptsCards(method.fields)) return undefined;
  const form = { ...emptyPayerForm, ...restorePayer(uid, mobileOwner(method)) };
  const { kept: savedGroups } = await client.fetchQuery(ownPayerQuery).catch((): { kept?: undefined } => ({}));
  const cardUse = { savedGroups };
  const problems = payerProblems(form, requiredGroups(method.fields, cardUse), { now: serverNow(), currency });
  if (Object.keys(problems).length > 0) return undefined;
  const input: PriceInput = { planId, methodCode, currency, orderId, discountCode: discountCode ?? undefined };
  const quote = await client.fetchQuery({ ...quoteQuery(input), staleTime: 0 });
  return isSameMoney(quote.total, total) ? { input, method, form, cardUse } : undefined;
}
