import { and, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { payerSchema } from '#contract/card.ts';
import type * as contract from '#contract/payer.ts';
import { isPersonName } from '#contract/person-name.ts';
import { normalizeTaxId } from '#contract/tax-id.ts';
import { savedPayers } from '#server/db/schema/cards.ts';
import { numberOf } from '#server/auth/users.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/runtime/sealed.ts';
import type { SecretsEnv } from '#server/runtime/signing-secret.ts';
import type { CustomerContext, SessionUser, Handler } from '#server/runtime/request/request-context.ts';

type Payer = v.InferOutput<typeof payerSchema>;
type Owner = Pick<SessionUser, 'brand' | 'uid'>;

const own = ({ brand, uid }: Owner) => and(eq(savedPayers.brand, brand), eq(savedPayers.uid, uid));

const purpose = 'kept payer';

/** Undefined when it cannot be decrypted: after a change of the signing secret there is no stored payer. */
export function unsealPayer(env: SecretsEnv, owner: Owner, sealed: string): Payer | undefined {
  const parsed = v.safeParse(payerSchema, unseal(env, purpose, owner, sealed));
  return parsed.success ? parsed.output : undefined;
}

/** The stored payer of a customer. */
export async function savedPayerOf({ db, env }: Pick<Deps, 'db' | 'env'>, owner: Owner): Promise<Payer | undefined> {
  const [row] = await db.select({ sealed: savedPayers.sealed }).from(savedPayers).where(own(owner)).limit(1);
  return row && unsealPayer(env, owner, row.sealed);
}

const find = ({ deps, user }: CustomerContext) => savedPayerOf(deps, user);

async function storePayer({ deps, user }: CustomerContext, payer: Payer): Promise<void> {
  const { brand, uid } = user;
  const row = { brand, uid, sealed: seal(deps, purpose, user, payer), updatedAt: deps.clock() };
  await deps.db
    .insert(savedPayers)
    .values(row)
    .onConflictDoUpdate({ target: [savedPayers.brand, savedPayers.uid], set: row });
}

/**
 * The parts of a payer that belong to these field groups. A mobile money number is not a telephone number of the payer.
 */
function fieldsOf(payer: Payer, fields: readonly contract.PayerField[]): Payer {
  const { firstName, lastName, document, birthDate, phone, address } = payer;
  const has = (field: contract.PayerField) => fields.includes(field);
  return {
    ...(has('name') || has('card') ? { ...(firstName && { firstName }), ...(lastName && { lastName }) } : {}),
    ...(has('document') && document ? { document } : {}),
    ...(has('birthDate') && birthDate ? { birthDate } : {}),
    ...(has('phone') && phone ? { phone } : {}),
    ...(has('address') && address ? { address } : {}),
  };
}

/**
 * First and last name are replaced together, so that a customer with one name does not get the last name stored before.
 */
function withSent(stored: Payer, sent: Payer): Payer {
  const { lastName: _, ...others } = stored;
  return sent.firstName === undefined ? { ...stored, ...sent } : { ...others, ...sent };
}

interface Paying {
  readonly methodCode: string;
  readonly payer: Payer;
  readonly cardId?: string | undefined;
  readonly keepPayer?: boolean | undefined;
}

/**
 * Adds the stored payer to a purchase ([Note: Kept payer]). `keepIt` stores what was sent; call it once the payment has
 * not failed. An error in storing only means that the customer types the data again at the next purchase.
 */
export async function withSavedPayer<Body extends Paying>(
  context: CustomerContext,
  body: Body,
): Promise<{ body: Body; keepIt: () => Promise<void> }> {
  const asIs = { body, keepIt: () => Promise.resolve() };
  if (body.keepPayer !== true || body.cardId !== undefined || context.user.sessionKind === 'box') return asIs;
  const fields = context.brand.methods.find(({ code }) => code === body.methodCode)?.fields ?? [];
  const stored = (await find(context)) ?? {};
  const sent = fieldsOf(body.payer, fields);
  const after = withSent(stored, sent);
  const isNew = JSON.stringify(after) !== JSON.stringify(stored);
  const keepIt = async () => {
    try {
      if (isNew) await storePayer(context, after);
    } catch (error) {
      context.deps.log.warn({ err: error, traceId: context.traceId }, 'the payer could not be stored');
    }
  };
  return { body: { ...body, payer: withSent(fieldsOf(stored, fields), body.payer) }, keepIt };
}

export const ownPayer: Handler<typeof contract.ownPayer> = async (_, context) => {
  const { user } = context;
  const stored = await find(context);
  const { firstName = '', lastName = '', document, birthDate, phone, address } = stored ?? namesIn(user.nickname);
  const groups = { name: firstName, document, birthDate, phone, address };
  const number = numberOf(user);
  return {
    // as: TypeScript gives the keys of any object as strings
    kept: stored ? (Object.keys(groups) as (keyof typeof groups)[]).filter((group) => Boolean(groups[group])) : [],
    firstName,
    lastName,
    document: document ? maskDocument(document) : '',
    phone: phone ? `•••• ${phone.slice(-4)}` : '',
    place: address ? [address.city, address.state].filter(Boolean).join(', ') : '',
    accountPhone: number === null ? '' : `+${number}`,
  };
};

/** The names in a nickname of several words, if it could be a person's name: from Google, or typed by the customer. */
function namesIn(nickname: string): Payer {
  const [firstName, ...others] = nickname.trim().split(/\s+/);
  const lastName = others.join(' ');
  return firstName && lastName && isPersonName(nickname) && !/\p{N}/u.test(nickname) ? { firstName, lastName } : {};
}

/** Masks a document number so that its owner recognises it and no one can use it. */
export function maskDocument(document: string): string {
  const id = normalizeTaxId(document);
  if (id.length === 11) return `•••.${id.slice(3, 6)}.${id.slice(6, 9)}-••`;
  if (id.length !== 14) return `•••${id.slice(-2)}`;
  return `••.${id.slice(2, 5)}.•••/${id.slice(8, 12)}-••`;
}

export const forgetPayer: Handler<typeof contract.forgetPayer> = async (_, { deps, user }) => {
  await deps.db.delete(savedPayers).where(own(user));
  return {};
};
