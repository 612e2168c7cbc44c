import * as contract from '#contract/payment-steps.ts';
import type { ConfirmingProvider, NextStep } from '#contract/next-step.ts';
import { isOpen } from '#contract/order-status.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { confirmByToken, performPaymentStep, type GatewayStep } from './act-on-payment.ts';
import { ownPurchase } from './orders.ts';

const redirectOf = (finisher: ConfirmingProvider) => (step: NextStep) =>
  step.type === 'redirect' && step.finish === finisher;
const reopen: GatewayStep = (gateway, key) => gateway.reopen?.(key);

/** The endpoints that continue a payment after `pay`. */
export const paymentStepHandlers = {
  useepayCreate: bind(contract.useepayCreate, ({ body }, context) =>
    performPaymentStep(context, body.orderId, { accepts: redirectOf('useepay'), perform: reopen }),
  ),
  payssionCreate: bind(contract.payssionCreate, ({ body }, context) =>
    performPaymentStep(context, body.orderId, { accepts: redirectOf('payssion'), perform: reopen }),
  ),
  stripeCreate: bind(contract.stripeCreate, ({ body }, context) =>
    performPaymentStep(context, body.orderId, { accepts: redirectOf('stripe'), perform: reopen }),
  ),
  stripeConfirm: bind(contract.stripeConfirm, ({ body }, context) => confirmByToken(context, body.token, 'stripe')),
  useepayConfirm: bind(contract.useepayConfirm, ({ body }, context) => confirmByToken(context, body.token, 'useepay')),
  payssionConfirm: bind(contract.payssionConfirm, ({ body }, context) =>
    confirmByToken(context, body.token, 'payssion'),
  ),
  paypalCapture: bind(contract.paypalCapture, ({ params }, context) => confirmByToken(context, params.id, 'paypal')),
  liQuiDoConfirm: bind(contract.liQuiDoConfirm, async ({ body }, context) => {
    const { attempt, order } = await ownPurchase(context, body.orderId);
    const asksCode = attempt.state === 'PENDING' && attempt.next?.type === 'otp';
    const hasPassed = (attempt.expiresAt ?? Infinity) <= context.deps.clock();
    // a job may have expired the attempt before the customer sent the code
    const isTooLate = (asksCode && hasPassed) || (attempt.state === 'EXPIRED' && isOpen(order.status));
    if (isTooLate) return context.refuse('requestExpired', { orderId: body.orderId });
    const accepts = (step: NextStep) => step.type === 'otp';
    const perform: GatewayStep = (gateway, key) => gateway.submitCode?.(key, body.otp);
    return performPaymentStep(context, body.orderId, { accepts, perform, refuseCode: context.refuse });
  }),
  paymentCrypto: bind(contract.paymentCrypto, ({ body }, context) => {
    const accepts = (step: NextStep) => step.type === 'crypto' && step.options.some(({ coin }) => coin === body.coin);
    return performPaymentStep(context, body.orderId, {
      accepts,
      perform: (gateway, key) => gateway.chooseCoin?.(key, body.coin),
    });
  }),
};
