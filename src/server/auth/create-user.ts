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
  /** null for someone who comes by Google */
  readonly passwordHash: string | null;
  /** as the form has it; the brand's default where it does not speak it */
  readonly language: Language;
  readonly nickname?: string | undefined;
  readonly entry?: Record<string, string> | undefined;
  /** the identity was proved, by a code or by Google */
  readonly proven: boolean;
  readonly googleSub?: string | undefined;
}

/** Creates an account; undefined when the brand has one with this account, address or Google account already. */
export async function createUser(
  tx: Database,
  { brand, identity, passwordHash, language, nickname = '', entry, proven, googleSub }: NewUser,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<UserRow | undefined> {
  const now = clock();
  // its number may be stored in the spelling of an earlier version, which no index compares
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

/** The language to write to a customer in: the one that was asked for, if the brand has it, else its default. */
export function supportedLanguage({ config }: Pick<Brand, 'config'>, language: Language): Language {
  return config.langs.includes(language) ? language : config.defaultLang;
}
