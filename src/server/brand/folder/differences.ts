import { isDeepStrictEqual } from 'node:util';
import { formatMoney } from '#contract/money.ts';
import type { Picture } from './icons.ts';
import type { BrandRows } from './rows.ts';

/** The parts of a brand that are lists of rows, with the key of a row in each. */
const keys = {
  plans: ({ id }: BrandRows['plans'][number]) => id,
  methods: ({ code }: BrandRows['methods'][number]) => code,
  banners: ({ id }: BrandRows['banners'][number]) => id,
  coupons: ({ code }: BrandRows['coupons'][number]) => code,
  wordings: ({ language }: BrandRows['wordings'][number]) => language,
  documents: ({ type, language }: BrandRows['documents'][number]) => `${type}.${language}`,
};
export type Part = keyof typeof keys;
type RowOf<P extends Part> = BrandRows[P][number];

export interface PartDifference<Row> {
  readonly added: readonly Row[];
  readonly changed: readonly { readonly before: Row; readonly after: Row }[];
  readonly removed: readonly Row[];
}

/** The changes that make a brand equal to its wanted state. */
export interface Differences {
  readonly brand: PartDifference<BrandRows['brand']>;
  readonly hosts: PartDifference<string>;
  readonly pictures: PartDifference<Picture>;
  readonly parts: { readonly [P in Part]: PartDifference<RowOf<P>> };
}

/**
 * The target rows: the wanted ones, plus those that must not be removed. A plan or method that is no longer sold stays,
 * because orders and renewals refer to it; a coupon that is not in the folder was created by the operator (`coupons
 * create`); the number of uses of a coupon belongs to the shop.
 */
export function targetOf(now: BrandRows | undefined, wanted: BrandRows): BrandRows {
  if (!now) return wanted;
  const without = <Row>(before: readonly Row[], after: readonly Row[], keyOf: (row: Row) => string) => {
    const known = new Set(after.map(keyOf));
    return before.filter((row) => !known.has(keyOf(row)));
  };
  const used = new Map(now.coupons.map((coupon) => [coupon.code, coupon.used]));
  return {
    ...wanted,
    brand: { ...wanted.brand, demo: now.brand.demo },
    plans: [
      ...wanted.plans,
      ...without(now.plans, wanted.plans, keys.plans).map((plan) => ({ ...plan, active: false })),
    ],
    methods: [
      ...wanted.methods,
      ...without(now.methods, wanted.methods, keys.methods).map((method) => ({ ...method, active: false })),
    ],
    coupons: [
      ...wanted.coupons.map((coupon) => ({ ...coupon, used: used.get(coupon.code) ?? coupon.used })),
      ...without(now.coupons, wanted.coupons, keys.coupons),
    ],
  };
}

export function differencesOf(now: BrandRows | undefined, target: BrandRows): Differences {
  const part = <P extends Part>(name: P) => {
    // as: the compiler does not see that each function of the table fits its own rows
    const keyOf = keys[name] as (row: RowOf<P>) => string;
    const [before, after]: readonly (readonly RowOf<P>[])[] = [now?.[name] ?? [], target[name]];
    return compare(before ?? [], after ?? [], keyOf);
  };
  return {
    brand: compare(now ? [now.brand] : [], [target.brand], ({ code }) => code),
    hosts: compare(now?.hosts ?? [], target.hosts, (host) => host),
    pictures: compare(now?.pictures ?? [], target.pictures, ({ path }) => path, sameHash),
    parts: {
      plans: part('plans'),
      methods: part('methods'),
      banners: part('banners'),
      coupons: part('coupons'),
      wordings: part('wordings'),
      documents: part('documents'),
    },
  };
}

const sameHash = (one: Picture, other: Picture) => one.hash === other.hash;

function compare<Row>(
  before: readonly Row[],
  after: readonly Row[],
  keyOf: (row: Row) => string,
  isSame: (one: Row, other: Row) => boolean = isDeepStrictEqual,
): PartDifference<Row> {
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const wanted = new Set(after.map(keyOf));
  return {
    added: after.filter((row) => !known.has(keyOf(row))),
    changed: after.flatMap((row) => {
      const old = known.get(keyOf(row));
      return old === undefined || isSame(old, row) ? [] : [{ before: old, after: row }];
    }),
    removed: before.filter((row) => !wanted.has(keyOf(row))),
  };
}

const most = 8;
const nouns: Record<Part, string> = {
  plans: 'plan',
  methods: 'method',
  banners: 'banner',
  coupons: 'coupon',
  wordings: 'words in',
  documents: 'document',
};

/** The differences as lines for an operator; none where nothing changes. */
export function describeDifferences({ brand, hosts, pictures, parts }: Differences): string[] {
  const lines = (
    what: string,
    { added, changed, removed }: PartDifference<unknown>,
    nameOf: (row: never) => string,
  ) => [
    // as: each part is described with the name of its own rows
    ...added.map((row) => `+ ${what} ${nameOf(row as never)}`),
    ...changed.flatMap(({ before, after }) => told(`${what} ${nameOf(after as never)}`, before, after)), // as above
    ...removed.map((row) => `- ${what} ${nameOf(row as never)}`), // as above
  ];
  return [
    ...lines('brand', brand, ({ code }: BrandRows['brand']) => code),
    ...lines('host', hosts, (host: string) => host),
    ...Object.entries(parts).flatMap(([name, part]) => {
      const one = name as Part; // as: the names of the parts
      return lines(nouns[one], part, keys[one]);
    }),
    ...pictures.added.map(({ path }) => `+ picture ${path}`),
    ...pictures.changed.map(({ after }) => `~ picture ${after.path}`),
    ...pictures.removed.map(({ path }) => `- picture ${path}`),
  ];
}

function told(what: string, before: unknown, after: unknown): string[] {
  const leaves = leavesOf(before, after, '');
  const retires = leaves.find(({ path }) => path === 'active');
  if (retires) return [retires.after === false ? `- ${what} is sold no longer` : `+ ${what} is sold again`];
  const shown = leaves
    .slice(0, most)
    .map(
      (leaf) => `~ ${what}: ${leaf.path} ${shownValue(leaf.path, leaf.before)} -> ${shownValue(leaf.path, leaf.after)}`,
    );
  return leaves.length > most ? [...shown, `~ ${what}: and ${leaves.length - most} more`] : shown;
}

interface Leaf {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function leavesOf(before: unknown, after: unknown, path: string): Leaf[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isTree(before) || !isTree(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => leavesOf(before[name], after[name], path === '' ? name : `${path}.${name}`));
}

function shownValue(path: string, value: unknown): string {
  const currency = /^(?:p|listP)rices\.([A-Z]{3})$/.exec(path)?.[1];
  if (currency !== undefined && typeof value === 'number') return formatMoney({ amount: value, currency }, 'en');
  const text = value === undefined || value === null ? 'nothing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
