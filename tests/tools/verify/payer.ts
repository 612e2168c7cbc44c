import * as endpoints from '#contract/index.ts';
import type { ConfirmingProvider, NextStep, NextStepOf } from '#contract/next-step.ts';
import { sandboxOtp } from '#sandbox/bank/mobile.ts';
import type { Connection } from './connection.ts';
import type { PayerAction, Wish } from './payment-methods.ts';

/** A customer with a pending payment. */
export interface Waiting {
  readonly connection: Connection;
  readonly host: string;
  readonly token: string;
  readonly orderId: string;
  readonly resultToken: string;
  readonly wish: Wish;
}

/** Does the next step of a payment once. Rejects on a lost connection; then the payer reads the payment and retries. */
export async function performNextStep(payer: Waiting, next: NextStep, action: PayerAction): Promise<void> {
  if (action === 'wait' || action === 'leave') return;
  if (action === 'payAfterDecline') {
    if (next.type === 'redirect') await visit(payer, next, 'decline');
    return performNextStep(payer, next, 'pay');
  }
  switch (next.type) {
    case 'redirect':
      return visit(payer, next, action);
    case 'qr':
    case 'ticket':
      if (action === 'pay' && next.bankUrl !== undefined) await payer.connection.press(next.bankUrl, { action: 'pay' });
      return;
    case 'push':
      return answerPhone(payer, action);
    case 'otp':
      return typeCode(payer, action);
    case 'crypto':
      return action === 'pay' ? sendCoins(payer, next) : undefined;
    case 'upload':
      return action === 'pay' ? sendProof(payer, next) : undefined;
    case 'none':
  }
}

const finishers = {
  useepay: endpoints.useepayConfirm,
  payssion: endpoints.payssionConfirm,
  stripe: endpoints.stripeConfirm,
} as const;

/** Answers on the provider's page and returns to the shop. */
async function visit(
  payer: Waiting,
  next: NextStepOf<'redirect'>,
  action: 'pay' | 'decline' | 'refuse',
): Promise<void> {
  const agrees = new URL(next.url).pathname.includes('/wallet/') ? 'pay' : 'approve';
  await payer.connection.press(next.url, { action: action === 'pay' ? agrees : action });
  if (next.finish) await finish(payer, next.finish);
}

async function finish({ connection, host, resultToken }: Waiting, finisher: ConfirmingProvider): Promise<void> {
  if (finisher === 'paypal') await connection.call(endpoints.paypalCapture, { params: { id: resultToken } }, { host });
  else await connection.call(finishers[finisher], { body: { token: resultToken } }, { host });
}

const diallingCodes: Readonly<Record<string, string>> = { KES: '254', XOF: '221', UGX: '256', ZMW: '260', MWK: '265' };

async function answerPhone({ connection, host, wish }: Waiting, action: 'pay' | 'refuse'): Promise<void> {
  const number = `${diallingCodes[wish.currency] ?? ''}${wish.payer.phone ?? ''}`;
  await connection.press(`http://${host}/sandbox/bank/mobile/${number}`, {
    action: action === 'pay' ? 'pay' : 'cancel',
  });
}

async function typeCode({ connection, host, token, orderId }: Waiting, action: 'pay' | 'refuse'): Promise<void> {
  const otp = action === 'pay' ? sandboxOtp : '000000';
  await connection.call(endpoints.liQuiDoConfirm, { body: { orderId, otp } }, { host, token });
}

/** Chooses a coin first; then the wallet sends the amount, and later the missing part. */
async function sendCoins({ connection, host, token, orderId }: Waiting, next: NextStepOf<'crypto'>): Promise<void> {
  const { chosen, options, bankUrl } = next;
  const coin = options.at(-1)?.coin;
  if (!chosen && coin !== undefined) {
    await connection.call(endpoints.paymentCrypto, { body: { orderId, coin } }, { host, token });
  }
  if (bankUrl === undefined || (chosen && Number(chosen.missing) === 0)) return;
  await connection.press(bankUrl, { action: chosen && Number(chosen.received) > 0 ? 'missing' : 'all' });
}

/** A picture of one pixel: the sandbox does not check the content of a proof of payment. */
const picture = new Blob(
  [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ],
  { type: 'image/png' },
);

async function sendProof({ connection, host, token, orderId }: Waiting, next: NextStepOf<'upload'>): Promise<void> {
  if (next.proof === 'received') return;
  const stored = await connection.call(endpoints.uploadObject, { file: picture }, { host, token });
  if (!stored.ok) return;
  await connection.call(endpoints.orderUpload, { body: { orderId, objectId: stored.data.objectId } }, { host, token });
}
