import { and, desc, eq, gt, sql } from 'drizzle-orm';
import * as v from 'valibot';
import { errorCode, type PaymentFailure } from '#contract/error-codes.ts';
import { sandboxCharges, type ChargeOutcome } from '#sandbox/schema.ts';
import type { ChargeRequest, ChargeView } from '#sandbox/gateway/protocol.ts';
import type { Bank, Charge } from './bank.ts';
import { changeCharge, findChargeByKey, closeCharge } from './charges.ts';
import { blankCharge, type Family, type Opening, amountRow } from './family.ts';
import type { BankPage } from '#sandbox/page-html.ts';

/** The code that every customer of the sandbox's Orange receives. */
export const sandboxOtp = '123456';
/** Lifetime of Orange's code, in milliseconds. */
const otpLifetimeMs = 10 * 60_000;
/** Orange refuses the same number and amount within this time, in milliseconds. */
const orangeRepeatMs = 60_000;
const otpTries = 3;

/** `phone` begins with the country code, digits only. */
const detailsSchema = v.object({
  diallingCode: v.string(),
  phone: v.string(),
  triesLeft: v.optional(v.number(), otpTries),
});

/**
 * Mobile money: a prompt on the payer's phone, answered automatically by the number's last digits (`phoneAnswer`) or on
 * the phone's page. With Orange the customer dials for a code instead and types it in the storefront.
 */
export const mobile: Family = {
  open: (bank, request) => (requiresCode(request) ? openWithCode(bank, request) : openOnPhone(bank, request)),
  nextStep: (charge) => {
    const { triesLeft, ...details } = v.parse(detailsSchema, charge.details);
    const amount = { amount: charge.amount, currency: charge.currency };
    const expiresAt = charge.expiresAt ?? 0;
    return requiresCode(charge)
      ? { type: 'otp', digits: sandboxOtp.length, sentTo: null, dial: '#144*391#', triesLeft, amount, expiresAt }
      : { type: 'push', phone: maskedPhone(details), amount, expiresAt };
  },
  performStep: (bank, charge, step) =>
    step.type === 'submitCode' && requiresCode(charge) ? tryCode(bank, charge, step.code) : Promise.resolve(undefined),
  page: {
    name: 'mobile',
    show: (charge) => phonePage(charge, requiresCode(charge) ? sandboxOtp : undefined),
    leaves: false,
    find: newestOnPhone,
    press: async (bank, charge, action) => {
      if (charge.status !== 'waiting') return;
      if (action === 'pay' && !requiresCode(charge)) await closeCharge(bank, charge, { status: 'paid' });
      if (action === 'cancel')
        await closeCharge(bank, charge, { status: 'declined', declineCode: errorCode('paymentCancelled') });
      if (action === 'ignore') await changeCharge(bank, charge, { scheduledOutcome: null, scheduledAt: null });
    },
  },
};

function requiresCode({ methodCode }: Pick<Charge, 'methodCode'>): boolean {
  return methodCode === 'orange';
}

function pendingCharge(bank: Bank, request: ChargeRequest, lifetimeMs: number): { charge: Charge; phone: string } {
  const { diallingCode = '', payer } = request;
  const phone = diallingCode + (payer.phone ?? '').replace(/\D/g, '');
  const charge = blankCharge(bank, request);
  const details = { ...charge.details, diallingCode, phone };
  return { charge: { ...charge, details, expiresAt: bank.clock() + lifetimeMs }, phone };
}

function openOnPhone(bank: Bank, request: ChargeRequest): Opening {
  const { charge, phone } = pendingCharge(bank, request, pushLifetimeMs);
  const answer = phoneAnswer(phone);
  switch (answer.does) {
    case 'refuse':
      return { charge: { ...charge, status: 'declined', declineCode: errorCode(answer.error) } };
    case 'end':
      return { charge: { ...charge, scheduledOutcome: answer.end, scheduledAt: bank.clock() + answer.afterMs } };
    case 'nothing':
      return { charge };
  }
}

async function openWithCode(bank: Bank, request: ChargeRequest): Promise<Opening> {
  const { charge, phone } = pendingCharge(bank, request, otpLifetimeMs);
  const repeated = await isTooFrequent(bank, charge, phone);
  return { charge: repeated ? { ...charge, status: 'declined', declineCode: errorCode('tooFrequent') } : charge };
}

/** An attempt refused as too frequent does not extend the waiting time. */
async function isTooFrequent({ db, clock }: Bank, charge: Charge, phone: string): Promise<boolean> {
  const { kind, methodCode, brand, amount, currency } = charge;
  const [same] = await db
    .select({ key: sandboxCharges.key })
    .from(sandboxCharges)
    .where(
      and(
        eq(sandboxCharges.kind, kind),
        eq(sandboxCharges.methodCode, methodCode),
        eq(sandboxCharges.brand, brand),
        eq(sandboxCharges.amount, amount),
        eq(sandboxCharges.currency, currency),
        gt(sandboxCharges.createdAt, clock() - orangeRepeatMs),
        ofPhone(phone),
        sql`${sandboxCharges.declineCode} is distinct from ${errorCode('tooFrequent')}`,
      ),
    )
    .limit(1);
  return same !== undefined;
}

async function tryCode(bank: Bank, charge: Charge, code: string): Promise<ChargeView['refusal'] | undefined> {
  if (code === sandboxOtp) {
    await closeCharge(bank, charge, { status: 'paid' });
    return undefined;
  }
  const triesLeft = await countWrongCode(bank, charge);
  if (triesLeft > 0) return { error: 'wrongPaymentCode', params: { field: 'code', triesLeft } };
  await closeCharge(bank, charge, { status: 'declined', declineCode: errorCode('paymentFailed') });
  return undefined;
}

/** Decremented in the database, so that concurrent wrong codes count one by one. */
async function countWrongCode(bank: Bank, charge: Charge): Promise<number> {
  const { details } = sandboxCharges;
  const left = sql`coalesce((${details}->>'triesLeft')::int, ${otpTries}::int) - 1`;
  const changed = await changeCharge(bank, charge, {
    details: sql`jsonb_set(${details}, '{triesLeft}', to_jsonb(${left}))`,
  });
  return changed ? v.parse(detailsSchema, changed.details).triesLeft : 0;
}

/** The newest prompt on a phone, so that a tester finds the page by the number alone. */
async function newestOnPhone(bank: Bank, phone: string): Promise<Charge | undefined> {
  if (!/^\d{8,15}$/.test(phone)) return undefined;
  const [newest] = await bank.db
    .select({ key: sandboxCharges.key })
    .from(sandboxCharges)
    .where(ofPhone(phone))
    .orderBy(desc(sandboxCharges.createdAt))
    .limit(1);
  return newest && findChargeByKey(bank, newest.key);
}

function ofPhone(phone: string) {
  return sql`${sandboxCharges.kind} = 'mobile' and ${sandboxCharges.details}->>'phone' = ${phone}`;
}

/** `+254 •••••••78`: enough to recognize the phone. */
function maskedPhone({ diallingCode, phone }: { diallingCode: string; phone: string }): string {
  const national = phone.slice(diallingCode.length);
  return `+${diallingCode} ${'•'.repeat(Math.max(0, national.length - 2))}${national.slice(-2)}`;
}

const cancel = { action: 'cancel', label: 'Cancel', primary: false } as const;

/** The payer's phone. `code` is what the mobile operator answers to a dialled request. */
function phonePage(charge: Charge, code: string | undefined): BankPage {
  const rows = [amountRow(charge)];
  const { status, returnUrl: back } = charge;
  if (status !== 'waiting') return { ...endMessage(status), rows, back };
  if (code !== undefined) {
    return {
      title: `Your code is ${code}`,
      lines: ['Enter it in the shop. Do not share it.'],
      rows,
      buttons: [cancel],
    };
  }
  const answers = [
    { action: 'pay', label: 'Pay', primary: true },
    cancel,
    { action: 'ignore', label: 'Do nothing', primary: false },
  ];
  const lines = [charge.scheduledAt === null ? 'This phone waits for you.' : 'This phone will answer by itself.'];
  return { title: 'Your phone asks: pay?', lines, rows, buttons: answers };
}

function endMessage(status: Charge['status']): Pick<BankPage, 'title' | 'lines'> {
  if (status === 'paid') return { title: 'Paid', lines: ['The money is on its way.'] };
  if (status === 'refunded') return { title: 'Refunded', lines: ['The money is yours again.'] };
  if (status === 'expired') return { title: 'Too late', lines: ['The question was not answered in time.'] };
  return { title: 'Not paid', lines: ['Nothing was taken from you.'] };
}

/** Lifetime of a prompt on a phone, in milliseconds. */
const pushLifetimeMs = 2 * 60_000;

const secondMs = 1000;

/** The automatic answer of a phone. `afterMs` counts from the prompt. */
type PhoneAnswer =
  | { readonly does: 'refuse'; readonly error: PaymentFailure }
  | { readonly does: 'end'; readonly end: ChargeOutcome; readonly afterMs: number }
  | { readonly does: 'nothing' };

const end = (ends: ChargeOutcome, afterMs: number): PhoneAnswer => ({ does: 'end', end: ends, afterMs });

/** By the last four digits of the number, after the result codes of M-Pesa. */
const answers: Readonly<Record<string, PhoneAnswer>> = {
  // insufficient funds
  '0001': end({ status: 'declined', declineCode: errorCode('insufficientFunds') }, 2 * secondMs),
  // the phone is busy with another prompt and gets no new one
  '1001': { does: 'refuse', error: 'tooFrequent' },
  // the network reports a timeout: no late payment follows
  '1019': end({ status: 'expired' }, pushLifetimeMs),
  // cancelled on the phone
  '1032': end({ status: 'declined', declineCode: errorCode('paymentCancelled') }, 2 * secondMs),
  // no answer and no notice: the server has to inquire
  '1037': { does: 'nothing' },
  // no answer in time, but the money arrives later
  '2037': end({ status: 'paid' }, pushLifetimeMs + 60 * secondMs),
  // paid at once, notice late
  '3000': end({ status: 'paid', tellAfterMs: 30 * secondMs }, 3 * secondMs),
};

const pays = end({ status: 'paid' }, 3 * secondMs);

/** The automatic answer of the phone with this number. */
export function phoneAnswer(number: string): PhoneAnswer {
  return answers[number.slice(-4)] ?? pays;
}
