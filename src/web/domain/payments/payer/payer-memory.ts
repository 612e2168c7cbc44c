import * as v from 'valibot';
import type { PaymentMethod } from '#contract/billing.ts';
import { draft } from '#web/platform/session/storage/draft.ts';
import { emptyPayerForm, type PayerForm, type PayerKey } from './payer-form.ts';

/** Never stored, not even for a reload. */
const ofCard: ReadonlySet<PayerKey> = new Set(['number', 'expiry', 'code']);

/** The payer's fields without card data. */
// keys of a constant of ours
const savedKeys = (Object.keys(emptyPayerForm) as PayerKey[]).filter((key) => !ofCard.has(key));

const text = v.pipe(v.string(), v.maxLength(200));
const memory = draft(
  'payer',
  v.object({
    uid: v.string(),
    payer: v.object(v.entriesFromList(savedKeys, v.optional(text))),
    /** the owner of the mobile number, as `mobileOwner` names it */
    mobileOf: v.optional(text),
  }),
);

/**
 * Stores the payer for this tab and this customer: a reload or login loses nothing, and an expired code can be replaced
 * without typing. It is removed with the session.
 */
export function rememberPayer(uid: string, form: Partial<PayerForm>, mobileOf?: string): void {
  const payer = Object.fromEntries(savedKeys.map((key) => [key, form[key]]));
  memory.set({ uid, payer, ...(mobileOf !== undefined && { mobileOf }) });
}

/** The method and country of a mobile number: a number of one is never suggested for another. */
export function mobileOwner({ code, diallingCode }: Pick<PaymentMethod, 'code' | 'diallingCode'>): string | undefined {
  return diallingCode === undefined ? undefined : `${code} ${diallingCode}`;
}

export function restorePayer(uid: string, mobileOf?: string): Partial<PayerForm> {
  const found = memory.get();
  if (found?.uid !== uid) return {};
  const isOther = found.mobileOf !== mobileOf;
  const known = Object.entries(found.payer).filter(
    ([key, value]) => value !== undefined && !(isOther && key === 'mobile'),
  );
  // the schema leaves only known keys with text values
  return Object.fromEntries(known) as Partial<PayerForm>;
}

/** The payer memory as a form draft. It is not removed after a payment, whose code may expire and be replaced. */
export function payerDraft(uid: string, mobileOf?: string) {
  return {
    fields: savedKeys,
    store: {
      get: () => restorePayer(uid, mobileOf),
      set: (form: Partial<PayerForm>) => rememberPayer(uid, form, mobileOf),
      remove: () => undefined,
    },
  };
}
