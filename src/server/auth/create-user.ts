import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { Identity } from '#server/site/account-rules.ts';
import { findUser, type UserRow } from './find-user.ts';

export interface NewUser {
  readonly brand: Brand;
  readonly identity: Identity;
  /** null for an account created with Google */
  readonly passwordHash: string | null;
  /** the language of the form; the brand's default if the brand does not have it */
  readonly language: Language;
  readonly nickname?: string | undefined;
  readonly entry?: Record<string, string> | undefined;
  /** the identity was proved by a code or by Google */
  readonly proven: boolean;
  readonly googleSub?: string | undefined;
}

/** Creates an account; undefined if the brand has one with this account name, email address or Google account. */
export async function createUser(
  tx: Database,
  { brand, identity, passwordHash, language, nickname = '', entry, proven, googleSub }: NewUser,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<UserRow | undefined> {
  const now = clock();
  // the number may be stored in the spelling of an earlier version, which no unique index compares
  if (identity.type === 'phone' && (await findUser(tx, brand.code, identity))) return undefined;
  const [user] = await tx
    .insert(users)
    .values({
      uid: random.id(),
      brand: brand.code,
      account: identity.account,
      accountType: identity.type,
      areaCode: identity.areaCode,
      email: identity.type === 'email' ? identity.account : null,
      phone: identity.type === 'phone' ? identity.account : null,
      verifiedAt: proven ? now : null,
      passwordHash,
      googleSub: googleSub ?? null,
      nickname: nickname.trim(),
      language: supportedLanguage(brand, language),
      entry: entry ?? null,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning();
  return user;
}

/** The language of messages to a customer: the requested one if the brand has it, else its default. */
export function supportedLanguage({ config }: Pick<Brand, 'config'>, language: Language): Language {
  return config.langs.includes(language) ? language : config.defaultLang;
}
