import * as v from 'valibot';
import type { PaymentMethod } from '#contract/billing.ts';
import { draft } from '#web/platform/session/storage/draft.ts';
import { emptyPayerForm, type PayerForm, type PayerKey } from './payer-form.ts';

/** What is never kept, not even for a reload. */
const ofCard: ReadonlySet<PayerKey> = new Set(['number', 'expiry', 'code']);

/** Whose payment it is, without anything of a card. */
// keys of a constant of ours
export const savedKeys = (Object.keys(emptyPayerForm) as PayerKey[]).filter((key) => !ofCard.has(key));

const text = v.pipe(v.string(), v.maxLength(200));
const memory = draft(
  'payer',
  v.object({
    uid: v.string(),
    payer: v.object(v.entriesFromList(savedKeys, v.optional(text))),
    /** whose the mobile number is, as `mobileOwner` names it */
    mobileOf: v.optional(text),
  }),
);

/**
 * Who pays, kept for this tab and for this customer only: a reload or a login on the way loses nothing, and an expired
 * code is made again without typing it all again. It goes with the session ([Note: Whose data]).
 */
export function rememberPayer(uid: string, form: Partial<PayerForm>, mobileOf?: string): void {
  const payer = Object.fromEntries(savedKeys.map((key) => [key, form[key]]));
  memory.set({ uid, payer, ...(mobileOf !== undefined && { mobileOf }) });
}

/** By which method and in which country a mobile number is used: a number of one is never offered for another. */
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
  // only keys of the schema are left, each with a text
  return Object.fromEntries(known) as Partial<PayerForm>;
}

/** The memory as a form keeps its draft: it outlives a payment, whose code may expire and be made again. */
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
