import { createListeners } from '#web/ui/store.ts';
import { uuid } from '../uuid.ts';
import {
  paymentInProgressKey,
  purchaseIntentKey,
  type PaymentInProgress,
  type PurchaseIntent,
} from './purchase-keys.ts';

/**
 * [Note: Purchase intent] One intent to buy one plan has one idempotency key. It is created when the payment step opens
 * and read from the store at every use, never cached in memory, so that reloads and other tabs send the same key. It is
 * replaced only after a definite failure or changed inputs.
 */
export interface PurchaseIntentStore {
  /** the intent, created if it does not exist */
  getOrCreate(): PurchaseIntent;
  /** records that a request with this key may have reached the server */
  markSent(): void;
  /** creates a new key, after a definite failure or changed inputs */
  replace(): PurchaseIntent;
  /** after the purchase has succeeded */
  clear(): void;
}

export function purchaseIntent(uid: string, planId: string): PurchaseIntentStore {
  const store = purchaseIntentKey(uid, planId);
  const replace = (): PurchaseIntent => {
    const created = { planId, idempotencyKey: uuid(), createdAt: Date.now() };
    store.set(created);
    return store.get() ?? created;
  };
  const getOrCreate = () => store.get() ?? replace();
  return {
    getOrCreate,
    replace,
    markSent: () => {
      const intent = getOrCreate();
      if (intent.sentAt === undefined) store.set({ ...intent, sentAt: Date.now() });
    },
    clear: () => store.remove(),
  };
}

const { subscribe, tell } = createListeners();

/** The customer's current payment, stored before any redirect; the next start offers to continue it. */
export const paymentInProgress = {
  get: (): PaymentInProgress | undefined => paymentInProgressKey.get(),
  set: (payment: PaymentInProgress): void => {
    paymentInProgressKey.set(payment);
    tell();
  },
  clear: (): void => {
    paymentInProgressKey.remove();
    tell();
  },
  /** the key whose storage events report changes in other tabs */
  key: paymentInProgressKey.key,
};

/** Calls the listener when this tab begins or ends a payment. The returned function stops it. */
export const onPaymentChange = subscribe;
