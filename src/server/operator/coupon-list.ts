import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { normalizeCoupon } from '#contract/coupons.ts';
import { coupons } from '#server/db/schema/orders.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { instantOf, numberOption, OperatorError, requireOption, type ShopCommand } from './command.ts';
import { codeOf, codeOption, ofBrand, offOf, wrong } from './coupons.ts';
import { brandOf, brandOption } from './open-shop.ts';
import { mayBeMore } from './wording.ts';

const beginsWith = (brand: string, start: string) =>
  and(eq(coupons.brand, brand), sql`starts_with(${coupons.code}, ${start})`);

/** One line each: code, discount, number of uses, and expiry. */
export const listCouponsCommand: ShopCommand = {
  name: 'coupons list',
  summary: 'lists the coupons of a brand, by code',
  options: {
    brand: brandOption,
    prefix: { value: 'word', summary: 'those whose code begins like this' },
    limit: { value: 'number', summary: 'lines at most (500)' },
  },
  inShop: async (given, { deps, row, explain }) => {
    const { code: brand } = brandOf(deps, requireOption(given, 'brand'));
    const most = numberOption(given, 'limit', { usual: 500, most: 100_000 });
    const start = normalizeCoupon(given['prefix'] ?? '');
    const rows = await deps.db
      .select()
      .from(coupons)
      .where(beginsWith(brand, start))
      .orderBy(asc(coupons.code))
      .limit(most);
    if (rows.length === most) explain(mayBeMore(most));
    for (const coupon of rows) {
      const { code, used, maxUses, endsAt } = coupon;
      row({ code, off: offOf(coupon), uses: `${used}/${maxUses}`, endsAt: instantOf(endsAt) });
    }
  },
};

/** Orders that already use it keep their price; other customers can no longer use it. */
export const endCouponCommand: ShopCommand = {
  name: 'coupons end',
  summary: 'ends a coupon now, or those of a prefix; orders that reserved it are unaffected',
  options: {
    brand: brandOption,
    code: { value: codeOption.value, summary: codeOption.summary },
    prefix: { value: 'word', summary: 'all codes that begin like this and have not ended' },
    ...auditOptions,
  },
  inShop: async (given, { deps, done }) => {
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const { prefix } = given;
    if ((given['code'] === undefined) === (prefix === undefined)) throw wrong('Give --code or --prefix.');
    const start = normalizeCoupon(prefix ?? '');
    if (prefix !== undefined && start.length < 2) throw wrong('--prefix has 2 letters or more.');
    const subject = prefix === undefined ? codeOf(given) : start;
    const now = deps.clock();
    const isOpen = and(beginsWith(brand.code, start), gt(coupons.endsAt, now));
    const ended = await deps.db.transaction(async (tx) => {
      const rows = await tx
        .update(coupons)
        .set({ endsAt: sql`least(${coupons.endsAt}, ${now})` })
        .where(prefix === undefined ? ofBrand(brand, subject) : isOpen)
        .returning({ code: coupons.code });
      if (rows.length === 0) throw new OperatorError(`${brand.name} has no coupon ${subject}.`);
      const detail = { coupons: rows.length };
      await writeAudit(tx, given, { command: 'coupons end', brand: brand.code, subject, detail }, deps);
      return rows.length;
    });
    const what = prefix === undefined ? `The coupon ${subject} has ended.` : `${ended} coupons ${subject}… have ended.`;
    done(what, { brand: brand.code, code: prefix === undefined ? subject : null, ended });
  },
};
