import { dayAfter, timeZoneOf } from '#server/brand/time-zone.ts';
import { and, asc, eq, sql } from 'drizzle-orm';
import * as v from 'valibot';
import { discountCodeSchema } from '#contract/coupons.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { coupons } from '#server/db/schema/orders.ts';
import { giveCoupon } from '#server/billing/give-coupon.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { requireOption, OperatorError, amountOf, instantOf, type OptionValues, type ShopCommand } from './command.ts';
import { findNamedCustomer, customerOptions } from './customers.ts';
import { brandOf, brandOption } from './open-shop.ts';
import { readOperatorFile } from './operator-files.ts';
import { languageSchema } from '#contract/fields.ts';
import { sendOffers } from '#server/account/settings/offers.ts';

const codeOption = { required: true, value: 'code', summary: 'letters, digits and dashes' } as const;

/** The coupon is listed in the customer's account, the checkout offers it, and a mail reports it. */
export const giveCouponCommand: ShopCommand = {
  name: 'coupons give',
  summary: 'gives a coupon to a customer',
  options: { ...customerOptions, code: codeOption, ...auditOptions },
  inShop: async (given, { deps, done, ...shop }) => {
    const code = codeOf(given);
    const { brand, user, account } = await findNamedCustomer(given, { deps, ...shop });
    const [coupon] = await deps.db.select().from(coupons).where(ofBrand(brand, code));
    if (!coupon) throw new OperatorError(`${brand.name} has no coupon ${code}.`);
    const isNew = await deps.db.transaction(async (tx) => {
      const isGiven = await giveCoupon(tx, { brand, user, coupon }, deps);
      const change = { command: 'coupons give', brand: brand.code, subject: user.uid, detail: { code } };
      if (isGiven) await writeAudit(tx, given, change, deps);
      return isGiven;
    });
    const facts = { brand: brand.code, uid: user.uid, code, isNew };
    done(`${account} has the coupon ${code} ${isNew ? 'now' : 'already'}.`, facts);
  },
};

const ofBrand = ({ code: brand }: Brand, code: string) => and(eq(coupons.brand, brand), eq(coupons.code, code));

export const createCouponCommand: ShopCommand = {
  name: 'coupons create',
  summary: 'makes a coupon that takes off a percentage or an amount',
  options: {
    brand: brandOption,
    code: codeOption,
    percent: { value: '1-100', summary: 'what it takes off, or else:' },
    amount: { value: 'minor units', summary: 'what it takes off, of --currency' },
    currency: { value: 'code', summary: 'of --amount, such as BRL' },
    uses: { required: true, value: 'number', summary: 'maximum number of orders, of all customers together' },
    until: { required: true, value: 'date', summary: 'its last day by the time zone of the brand, as 2027-12-31' },
    plans: { value: 'ids', summary: 'plans that it is valid for, comma-separated; default: all' },
    first: { value: 'yes', summary: 'for a first purchase only' },
    ...auditOptions,
  },
  inShop: async (given, { deps, done }) => {
    const code = codeOf(given);
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const row = { ...whatItTakesOff(given, brand), ...whatItIsFor(given, brand) };
    const now = deps.clock();
    const terms = { maxUses: wholeNumber(given, 'uses', 1e9), startsAt: now, endsAt: endOf(given, brand, now) };
    await deps.db.transaction(async (tx) => {
      const made = await tx
        .insert(coupons)
        .values({ brand: brand.code, code, ...row, ...terms })
        .onConflictDoNothing()
        .returning({ code: coupons.code });
      if (made.length === 0) throw new OperatorError(`${brand.name} has a coupon ${code} already.`);
      const detail = { off: offOf(row), uses: terms.maxUses };
      await writeAudit(tx, given, { command: 'coupons create', brand: brand.code, subject: code, detail }, deps);
    });
    done(`${brand.name} has the coupon ${code} now.`, { brand: brand.code, code });
  },
};

function offOf({ kind, value, currency }: Pick<typeof coupons.$inferSelect, 'kind' | 'value' | 'currency'>): string {
  return kind === 'percent' ? `${value}%` : amountOf({ amount: value, currency: currency ?? '' });
}

/** One line each: code, discount, number of uses, and expiry. */
export const listCouponsCommand: ShopCommand = {
  name: 'coupons list',
  summary: 'lists the coupons of a brand',
  options: { brand: brandOption },
  inShop: async (given, { deps, row }) => {
    const { code: brand } = brandOf(deps, requireOption(given, 'brand'));
    const rows = await deps.db.select().from(coupons).where(eq(coupons.brand, brand)).orderBy(asc(coupons.code));
    for (const coupon of rows) {
      const { code, used, maxUses, endsAt } = coupon;
      row({ code, off: offOf(coupon), uses: `${used}/${maxUses}`, endsAt: instantOf(endsAt) });
    }
  },
};

/** Orders that already use it keep their price; other customers can no longer use it. */
export const endCouponCommand: ShopCommand = {
  name: 'coupons end',
  summary: 'ends a coupon now; orders that reserved it are unaffected',
  options: { brand: brandOption, code: codeOption, ...auditOptions },
  inShop: async (given, { deps, done }) => {
    const code = codeOf(given);
    const brand = brandOf(deps, requireOption(given, 'brand'));
    await deps.db.transaction(async (tx) => {
      const ended = await tx
        .update(coupons)
        .set({ endsAt: sql`least(${coupons.endsAt}, ${deps.clock()})` })
        .where(ofBrand(brand, code))
        .returning({ code: coupons.code });
      if (ended.length === 0) throw new OperatorError(`${brand.name} has no coupon ${code}.`);
      await writeAudit(tx, given, { command: 'coupons end', brand: brand.code, subject: code }, deps);
    });
    done(`The coupon ${code} has ended.`, { brand: brand.code, code });
  },
};

const wrong = (message: string) => new OperatorError(message, { badUsage: true });

function codeOf(given: OptionValues): string {
  const code = v.safeParse(discountCodeSchema, requireOption(given, 'code'));
  if (!code.success) throw wrong('--code has 2 to 32 letters, digits and dashes.');
  return code.output;
}

function wholeNumber(given: OptionValues, name: string, most: number): number {
  const number = Number(requireOption(given, name));
  if (!Number.isInteger(number) || number < 1 || number > most) throw wrong(`--${name} is a number from 1 to ${most}.`);
  return number;
}

function whatItTakesOff(given: OptionValues, { currencies, name }: Brand) {
  if ((given['percent'] === undefined) === (given['amount'] === undefined)) throw wrong('Give --percent or --amount.');
  if (given['percent'] !== undefined)
    return { kind: 'percent' as const, value: wholeNumber(given, 'percent', 100), currency: null };
  const currency = requireOption(given, 'currency');
  if (!currencies.includes(currency)) throw wrong(`${name} sells in ${currencies.join(', ')}.`);
  return { kind: 'amount' as const, value: wholeNumber(given, 'amount', 1e9), currency };
}

function whatItIsFor(given: OptionValues, brand: Brand) {
  const planIds = (given['plans'] ?? '').split(',').flatMap((id) => id.trim() || []);
  const unknown = planIds.filter((id) => !brand.plans.some((plan) => plan.id === id));
  if (unknown.length > 0) throw wrong(`${brand.name} sells no plan ${unknown.join(', ')}.`);
  return { planIds, firstPurchaseOnly: given['first'] === 'yes' };
}

/** The end of the last day in the brand's time zone. */
function endOf(given: OptionValues, { config }: Brand, now: number): number {
  const end = dayAfter(requireOption(given, 'until'), timeZoneOf(config));
  if (end === undefined || end <= now) throw wrong('--until must be a future day, such as 2027-12-31.');
  return end;
}

/** Mails an offer to every customer who has not unsubscribed. */
export const offersCommand: ShopCommand = {
  name: 'offers send',
  summary: 'emails an offer to subscribed customers; run again, it resumes where it stopped',
  options: {
    brand: brandOption,
    name: { required: true, value: 'name', summary: 'of this offer; a customer receives the same offer once' },
    subject: { required: true, value: 'words', summary: 'of the mail' },
    'text-file': { required: true, value: 'file', summary: 'its text; an empty line separates paragraphs' },
    language: { value: 'code', summary: 'only to customers with this language' },
    ...auditOptions,
  },
  inShop: async (given, { deps, done }) => {
    const language = v.safeParse(v.optional(languageSchema), given['language']);
    if (!language.success) throw new OperatorError(`There is no language ${given['language'] ?? ''}.`);
    const text = (await readOperatorFile(requireOption(given, 'text-file'))).toString('utf8').trim();
    const brand = brandOf(deps, requireOption(given, 'brand'));
    if (!brand.config.subscribeEmail) throw new OperatorError(`${brand.name} sends no offers (subscribeEmail).`);
    const offer = { brand, name: requireOption(given, 'name'), subject: requireOption(given, 'subject'), text };
    // recorded first, because an interrupted run has also sent mail
    await writeAudit(deps.db, given, { command: 'offers send', brand: brand.code, subject: offer.name }, deps);
    const queued = await sendOffers(deps, { ...offer, language: language.output });
    if (queued === undefined)
      throw new OperatorError(`An offer named ${offer.name} has another text. Choose another name for this one.`);
    const facts = { brand: brand.code, name: offer.name, queued };
    done(`The offer is queued for ${queued} customers; the shop sends it while it runs.`, facts);
  },
};
