import { createListeners } from '#web/ui/store.ts';
import { uuid } from '../uuid.ts';
import {
  paymentInProgressKey,
  purchaseIntentKey,
  type PaymentInProgress,
  type PurchaseIntent,
} from './purchase-keys.ts';

/**
 * [Note: Purchase intent] One wish to buy one plan has one idempotency key. It is made when the payment step opens and
 * read from the store at every use, never kept in memory, so that reloads and other tabs send the same one. It is
 * replaced after a definite failure or changed inputs, and by nothing else.
 */
export interface PurchaseIntentStore {
  /** the intent, made now when there is none */
  getOrCreate(): PurchaseIntent;
  /** notes that a request with this key may have reached the server */
  markSent(): void;
  /** a new key, after a definite failure or changed inputs */
  replace(): PurchaseIntent;
  /** after the purchase has ended well */
  clear(): void;
}

export function purchaseIntent(uid: string, planId: string): PurchaseIntentStore {
  const store = purchaseIntentKey(uid, planId);
  const replace = (): PurchaseIntent => {
    const made = { planId, idempotencyKey: uuid(), createdAt: Date.now() };
    store.set(made);
    return store.get() ?? made;
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

/** [Note: Payment resume] The payment the customer is in, stored before any redirect; the next start offers to go on. */
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
  /** the key whose storage events tell of changes in other tabs */
  key: paymentInProgressKey.key,
};

/** Hears when this tab begins or ends a payment. The answer stops it. */
export const onPaymentChange = subscribe;
