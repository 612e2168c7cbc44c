import * as v from 'valibot';
import { languageSchema, planIdSchema } from '#contract/fields.ts';

const word = (max: number) => v.pipe(v.string(), v.regex(/^[\w.:-]+$/), v.maxLength(max));
/** An email address, a phone number or an id: printable, without spaces or characters of markup and headers. */
const account = v.pipe(v.string(), v.regex(/^[\w.@+-]+$/), v.maxLength(160));
const language = v.pipe(
  v.string(),
  v.transform((value) => value.toLowerCase().split(/[-_]/)[0]),
  languageSchema,
);

/** The parameters of a link, by their plain names. */
const fields = {
  accountId: account,
  language,
  /** the single sign-on token of the app; a secret */
  appToken: v.pipe(v.string(), v.regex(/^[\w.~+/=-]+$/), v.maxLength(2048)),
  aid: word(64),
  releaseId: word(64),
  loginType: word(20),
  loginId: account,
  ls: word(64),
  did: word(128),
  /** device information, opaque to the storefront */
  deviceInfo: v.pipe(v.string(), v.minLength(1), v.maxLength(2048)),
  /** page source location */
  psl: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  planId: planIdSchema,
  sourceType: word(20),
};
type Field = keyof typeof fields;
export type Entry = { readonly [F in Field]?: v.InferOutput<(typeof fields)[F]> };

/** Every spelling, short and long, with its field. */
export const aliasNames: ReadonlyMap<string, Field> = new Map([
  ...Object.keys(fields).map((name) => [name, name as Field] as const), // as: the keys of `fields` are Fields
  ['a', 'accountId'],
  ['la', 'language'],
  ['t', 'appToken'],
  ['r', 'releaseId'],
  ['lt', 'loginType'],
  ['e', 'loginId'],
  ['d', 'deviceInfo'],
  ['p', 'planId'],
  ['id', 'planId'],
  ['st', 'sourceType'],
]);

type Pairs = Iterable<readonly [string, unknown]>;

/** Maps pairs of any spelling to fields: the first valid value wins, and invalid ones are left out. */
export const entrySchema = v.pipe(
  v.custom<Pairs>((value) => value instanceof Object && Symbol.iterator in value),
  v.transform((pairs): Entry => {
    const entry: Record<string, unknown> = {};
    for (const [name, value] of pairs) {
      const field = aliasNames.get(name);
      if (!field || field in entry) continue;
      const parsed = v.safeParse(fields[field], value);
      if (parsed.success) entry[field] = parsed.output;
    }
    return entry;
  }),
);

export function aliasesOf(pairs: Pairs): Entry {
  return v.parse(entrySchema, pairs);
}
