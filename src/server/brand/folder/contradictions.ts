import { matchPath } from '#contract/paths.ts';
import { unsafeRules } from '../phone-rules.ts';
import { instantOf, minorUnitsOf } from './rows.ts';
import type { BrandFile } from './schema.ts';

/** Settings that are valid separately and not together; a remark does not prevent applying the folder. */
export interface Contradiction {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly remark?: true;
}

/** Finds contradictions between the parts of a brand's file. */
export function contradictions(file: BrandFile): Contradiction[] {
  return [
    ...ofSettings(file),
    ...twice(file.plans, 'plans', 'id'),
    ...twice(file.methods, 'methods', 'code'),
    ...twice(file.banners, 'banners', 'id'),
    ...twice(file.coupons, 'coupons', 'code'),
    ...file.plans.flatMap((plan, index) => ofPlan(file, plan, index)),
    ...file.methods.flatMap((method, index) => ofMethod(file, method, index)),
    ...file.coupons.flatMap((coupon, index) => ofCoupon(file, coupon, index)),
    ...file.banners.flatMap(({ link }, index) =>
      link !== undefined && matchPath(new URL(link, 'https://own.invalid').pathname) === undefined
        ? [
            {
              path: ['banners', index, 'link'],
              message: `${link} is no page of the shop; write a path such as /pricing-table`,
            },
          ]
        : [],
    ),
  ];
}

function ofSettings(file: BrandFile): Contradiction[] {
  const { languages, defaultLanguage, currencies, defaultCurrency, hosts, origin, validRules, seller } = file;
  const { hostname, protocol } = new URL(origin);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return [
    ...unless(
      languages.includes(defaultLanguage),
      ['defaultLanguage'],
      `${defaultLanguage} is not one of the languages (${languages.join(', ')})`,
    ),
    ...unless(
      currencies.includes(defaultCurrency),
      ['defaultCurrency'],
      `${defaultCurrency} is not one of the currencies (${currencies.join(', ')})`,
    ),
    ...ofAmounts(file, file.payment.smallestInstallment ?? {}, ['payment', 'smallestInstallment']),
    ...unless(
      file.invoices === undefined || (seller?.taxNumber !== undefined && seller.address !== undefined),
      ['invoices'],
      'an invoice names its seller, so seller needs legalName, taxNumber and address',
    ),
    ...unless(hosts.includes(hostname), ['origin'], `${hostname} is not one of the hosts; add it to them`),
    ...hosts.flatMap((host, index) =>
      unless(hosts.indexOf(host) === index, ['hosts', index], `${host} is named twice; each is unique`),
    ),
    ...unless(
      isLocal || protocol === 'https:',
      ['origin'],
      'http is not encrypted, so passwords can be intercepted; use https',
      true,
    ),
    ...unsafeRules(validRules).map((rule) => ({
      path: ['validRules', rule],
      message: 'could hold up a browser, so phones are not sent it, and go by the built-in rule',
      remark: true as const,
    })),
    ...unless(file.plans.length > 0, ['plans'], 'there is no plan, so there is nothing to sell', true),
    ...unless(file.methods.length > 0, ['methods'], 'there is no way to pay', true),
  ];
}

function unless(holds: boolean, path: Contradiction['path'], message: string, remark = false): Contradiction[] {
  return holds ? [] : [{ path, message, ...(remark && { remark: true as const }) }];
}

function twice<Name extends string>(
  rows: readonly Readonly<Record<Name, string>>[],
  table: string,
  name: Name,
): Contradiction[] {
  const seen = new Set<string>();
  return rows.flatMap((row, index) => {
    const known = seen.has(row[name]);
    seen.add(row[name]);
    return unless(!known, [table, index, name], `${row[name]} is there twice; each is unique`);
  });
}

/** Amounts by currency: each in one of the brand's currencies, and with no more digits than it has. */
function ofAmounts(
  { currencies }: BrandFile,
  amounts: Readonly<Record<string, number>>,
  path: Contradiction['path'],
): Contradiction[] {
  return Object.entries(amounts).flatMap(([currency, amount]) => [
    ...unless(
      currencies.includes(currency),
      [...path, currency],
      `${currency} is not one of the currencies of the brand`,
    ),
    ...unless(
      minorUnitsOf(amount, currency) !== undefined,
      [...path, currency],
      `${amount} has more digits than ${currency} has`,
    ),
  ]);
}

function ofPlan(
  file: BrandFile,
  { prices, listPrices, texts, free }: BrandFile['plans'][number],
  index: number,
): Contradiction[] {
  const at = (...path: string[]) => ['plans', index, ...path];
  return [
    ...unless(
      prices[file.defaultCurrency] !== undefined,
      at('prices'),
      `there is no price in ${file.defaultCurrency}, the default currency`,
    ),
    ...ofAmounts(file, prices, at('prices')),
    ...Object.entries(prices).flatMap(([currency, amount]) => ofPrice(at('prices', currency), amount, free)),
    ...ofAmounts(file, listPrices, at('listPrices')),
    ...Object.entries(listPrices).flatMap(([currency, amount]) =>
      unless(
        amount > (prices[currency] ?? 0),
        at('listPrices', currency),
        'is not above the price, so it is not shown',
        true,
      ),
    ),
    ...missingTexts(file, texts, at('texts')),
  ];
}

/** The checkout sells a plan without a price, as it does one that a coupon pays: only its brand knows if that is meant. */
function ofPrice(path: Contradiction['path'], amount: number, isFree: boolean): Contradiction[] {
  if (isFree) return unless(amount === 0, path, `is ${amount}, and the plan is free: remove free: true, or write 0`);
  return unless(
    amount > 0,
    path,
    'is 0, so every customer would get the plan without paying; if that is meant, add free: true to the plan',
  );
}

/** The default language replaces every missing one, so its texts are required. */
function missingTexts(
  { languages, defaultLanguage }: BrandFile,
  given: Readonly<Record<string, unknown>>,
  path: Contradiction['path'],
): Contradiction[] {
  return languages
    .filter((language) => given[language] === undefined)
    .map((language) =>
      language === defaultLanguage
        ? { path, message: `there are no words in ${language}, the default language` }
        : {
            path,
            message: `there are no words in ${language}; its readers get ${defaultLanguage}`,
            remark: true as const,
          },
    );
}

function ofMethod(
  file: BrandFile,
  { currencies, names, gateway, fields, details }: BrandFile['methods'][number],
  index: number,
): Contradiction[] {
  const at = (...path: string[]) => ['methods', index, ...path];
  return [
    ...currencies.flatMap((currency) =>
      unless(
        file.currencies.includes(currency),
        at('currencies'),
        `${currency} is not one of the currencies of the brand`,
      ),
    ),
    ...missingTexts(file, names, at('names')),
    // a number is typed without its country's code, so without one every number is refused
    ...(fields.includes('mobile') ? currencies : []).flatMap((currency) =>
      unless(
        details.diallingCodes?.[currency] !== undefined,
        at('details'),
        `a number is asked for, so diallingCodes has to name the code of its country for ${currency}, such as { ${currency}: "254" }`,
      ),
    ),
    ...unless(
      gateway !== 'transfer' || details.receiver !== undefined,
      at('details'),
      'a transfer needs a receiver, with name and account',
    ),
    ...unless(
      gateway !== 'payssion' || details.pmId !== undefined,
      at('details'),
      "a method of Payssion needs its pmId, Payssion's own name of it, such as alipay_cn",
    ),
    ...unless(
      details.pmId === undefined || gateway === 'payssion' || gateway === 'useepay',
      at('details', 'pmId'),
      'is read by payssion and useepay, and by no other gateway',
      true,
    ),
  ];
}

function ofCoupon(file: BrandFile, coupon: BrandFile['coupons'][number], index: number): Contradiction[] {
  const { percent, amount, currency = '', plans, from, until, used, uses } = coupon;
  const at = (...path: string[]) => ['coupons', index, ...path];
  const known = new Set(file.plans.map(({ id }) => id));
  const isOne = (percent === undefined) !== (amount === undefined);
  return [
    ...unless(isOne, at('code'), 'takes off either percent or amount'),
    ...(amount === undefined
      ? []
      : [
          ...unless(file.currencies.includes(currency), at('currency'), 'amount needs a currency of the brand'),
          ...unless(
            minorUnitsOf(amount, currency) !== undefined,
            at('amount'),
            `${amount} has more digits than ${currency} has`,
          ),
        ]),
    ...unless(
      plans.every((id) => known.has(id)),
      at('plans'),
      'names a plan that is not here',
      true,
    ),
    ...unless(instantOf(from, 'UTC') < instantOf(until, 'UTC', true), at('until'), 'is before its first day'),
    ...unless(used <= uses, at('used'), 'is more than its uses'),
  ];
}
