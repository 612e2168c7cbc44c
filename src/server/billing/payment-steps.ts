import * as contract from '../../contract/payment-steps.ts';
import type { Finisher, NextStep } from '../../contract/next-step.ts';
import { isOpen } from '../../contract/order-status.ts';
import { refuse } from '../api-error.ts';
import { bind } from '../mount.ts';
import { actOnOwn, finishByToken } from './act-on-payment.ts';
import { ownPurchase } from './own-orders.ts';

const redirectOf = (finisher: Finisher) => (step: NextStep) => step.type === 'redirect' && step.finish === finisher;
const reopen = { type: 'reopen' } as const;

/** What goes on with a payment after pay ([Note: Payment steps] in the contract). */
export const paymentStepHandlers = {
  useepayCreate: bind(contract.useepayCreate, ({ body }, context) =>
    actOnOwn(context, body.orderId, { accepts: redirectOf('useepay'), act: reopen }),
  ),
  payssionCreate: bind(contract.payssionCreate, ({ body }, context) =>
    actOnOwn(context, body.orderId, { accepts: redirectOf('payssion'), act: reopen }),
  ),
  useepayConfirm: bind(contract.useepayConfirm, ({ body }, context) => finishByToken(context, body.token, 'useepay')),
  payssionConfirm: bind(contract.payssionConfirm, ({ body }, context) =>
    finishByToken(context, body.token, 'payssion'),
  ),
  paypalCapture: bind(contract.paypalCapture, ({ params }, context) => finishByToken(context, params.id, 'paypal')),
  liQuiDoConfirm: bind(contract.liQuiDoConfirm, async ({ body }, context) => {
    const { attempt, order } = await ownPurchase(context, body.orderId);
    const asksCode = attempt.state === 'PENDING' && attempt.next?.type === 'otp';
    const hasPassed = (attempt.expiresAt ?? Infinity) <= context.deps.clock();
    // a job may have noticed before the customer did that the time has passed
    const isTooLate = (asksCode && hasPassed) || (attempt.state === 'EXPIRED' && isOpen(order.status));
    if (isTooLate) refuse(-3034, { orderId: body.orderId });
    const accepts = (step: NextStep) => step.type === 'otp';
    return actOnOwn(context, body.orderId, { accepts, act: { type: 'otp', code: body.otp } });
  }),
  paymentCrypto: bind(contract.paymentCrypto, ({ body }, context) => {
    const accepts = (step: NextStep) => step.type === 'crypto' && step.options.some(({ coin }) => coin === body.coin);
    return actOnOwn(context, body.orderId, { accepts, act: { type: 'coin', coin: body.coin } });
  }),
};
