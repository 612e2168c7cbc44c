import { uploadObject } from '#contract/payment-steps.ts';
import type { NextStepOf, ProofRejection } from '#contract/next-step.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import type { Envelope } from '#contract/envelope.ts';
import * as endpoints from '#contract/index.ts';
import type { PaymentInfo } from '#contract/orders.ts';
import {
  acceptTransfer,
  rejectProof,
  findTransfers,
  type Reviewable,
  type ReviewOutcome,
} from '#server/billing/review-transfer.ts';
import { smallPicture } from '#tests/fixtures/small-picture.ts';
import type { Buyer, Shop, Wish } from './a-shop.ts';

const megoHost = 'mego.localhost';

export const byPayNow = { planId: '201', methodCode: 'paynow', currency: 'SGD', card: undefined } satisfies Wish;
export const byCaishen = { ...byPayNow, methodCode: 'caishen', currency: 'CNY' } satisfies Wish;

/** A complete PNG file. */
export const aPicture = new Uint8Array(smallPicture('transfer.png', 200).buffer);

export interface Sent {
  readonly status: number;
  readonly errCode: number | undefined;
  readonly field: string | undefined;
  readonly objectId: string;
}

/** Uploads a file like the storefront: its bytes are the body. */
export async function sendFile(shop: Shop, buyer: Buyer, bytes: Uint8Array, type = 'image/png'): Promise<Sent> {
  const response = await shop.app.request(`http://${buyer.host}${uploadObject.path}`, {
    method: 'POST',
    headers: { Host: buyer.host, Authorization: buyer.token, 'Content-Type': type },
    // a copy, because the type of the body excludes shared memory
    body: new Uint8Array(bytes),
  });
  // as: no schema, because it could repair a wrong response
  const envelope = (await response.json()) as Envelope & { data?: { objectId: string } };
  return {
    status: response.status,
    errCode: envelope.errCode ?? undefined,
    field: envelope.params?.field,
    objectId: envelope.data?.objectId ?? '',
  };
}

/** The step of a transfer that awaits its proof of payment; throws for any other step. */
export function uploadStep({ next }: Pick<PaymentAnswer, 'next'>): NextStepOf<'upload'> {
  if (next.type !== 'upload') throw new Error(`not a transfer but ${next.type}`);
  return next;
}

export interface OwedTransfer {
  readonly buyer: Buyer;
  readonly orderId: string;
  readonly step: NextStepOf<'upload'>;
  /** uploads a new picture and submits it as the proof of payment */
  prove(): ReturnType<typeof handIn>;
  /** the newest transfer of the order, as the brand's reviewers see it */
  seen(): Promise<Reviewable>;
  accept(): Promise<ReviewOutcome>;
  reject(rejection?: ProofRejection): Promise<ReviewOutcome>;
  /** the payment as its customer sees it */
  info(): Promise<PaymentInfo>;
}

/** A customer with an order to be paid by bank transfer. */
export async function aTransfer(shop: Shop, wish: Wish = byPayNow, host = megoHost): Promise<OwedTransfer> {
  const buyer = await shop.buyer({ host });
  const { data } = await buyer.pay(wish);
  const { orderId } = data;
  const seen = async () => {
    const newest = (await findTransfers(shop.db, orderId)).at(-1);
    if (!newest) throw new Error(`${orderId} has no transfer`);
    return newest;
  };
  return {
    buyer,
    orderId,
    step: uploadStep(data),
    prove: async () => handIn(shop, buyer, orderId, (await sendFile(shop, buyer, aPicture)).objectId),
    seen,
    accept: async () => acceptTransfer(shop.deps, (await seen()).transfer),
    reject: async (rejection) => rejectProof(shop.deps, (await seen()).transfer, rejection),
    info: async () => (await shop.request(endpoints.paymentInfo, { body: { orderId } }, buyer)).data,
  };
}

export function handIn(shop: Shop, buyer: Buyer, orderId: string, objectId: string) {
  return shop.request(endpoints.orderUpload, { body: { orderId, objectId } }, buyer);
}
