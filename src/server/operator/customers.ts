import { and, desc, eq, sql } from 'drizzle-orm';
import { normalizeEmail } from '#contract/email-address.ts';
import {
  evictSessions,
  lockCustomer,
  numberOf,
  setUserType,
  userTypes,
  type UserRow,
  type UserType,
} from '#server/auth/users.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { users } from '#server/db/schema/users.ts';
import { dropPhone } from '#server/account/settings/remove-phone.ts';
import { removeBox } from '#server/account/tv-devices.ts';
import { startBinding } from '#server/account/email/bind-email.ts';
import { isValidAccount } from '#server/site/account-rules.ts';
import {
  type OutputFields,
  requireOption,
  OperatorError,
  type OptionValues,
  type OptionText,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { brandOf, brandOption, customerOfBrand } from './open-shop.ts';

/** Options that identify a customer. */
export const customerOptions = {
  brand: brandOption,
  account: { required: true, value: 'account', summary: 'address, number with its area code, or uid' },
} as const satisfies Record<string, OptionText>;

const options = { ...customerOptions, ...auditOptions };

export interface NamedCustomer {
  readonly brand: Brand;
  readonly user: UserRow;
  /** as the operator typed it */
  readonly account: string;
}

export async function findNamedCustomer(
  given: OptionValues,
  { deps }: Pick<ShopContext, 'deps'>,
): Promise<NamedCustomer> {
  const account = requireOption(given, 'account');
  const brand = brandOf(deps, requireOption(given, 'brand'));
  return { brand, user: await customerOfBrand(deps, brand, account), account };
}

/** Changes a customer and writes the audit record in one transaction. */
export async function changeCustomer<T>(
  { deps }: ShopContext,
  given: OptionValues,
  { user, command, detail = {} }: { user: UserRow; command: string; detail?: Record<string, string> },
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return deps.db.transaction(async (tx) => {
    const done = await work(tx);
    await writeAudit(tx, given, { command, brand: user.brand, subject: user.uid, detail }, deps);
    return done;
  });
}

/** What a program reads about the customer of a command. */
export const factsOf = ({ brand, uid, account }: UserRow): OutputFields => ({ brand, uid, account });

/** Blocks a customer who abuses the service; all sessions end at once. */
export const blockCommand: ShopCommand = {
  name: 'customers block',
  summary: 'blocks a customer and ends all their sessions now',
  options,
  inShop: async (given, shop) => {
    const { user, account } = await findNamedCustomer(given, shop);
    if (user.userType === 'RESELLER') throw new OperatorError(`${account} is a reseller, who cannot log in here.`);
    await changeType(shop, given, user, { userType: 'BLOCKED', command: 'customers block' });
    const then = 'What was paid stays paid; customers unblock lets them in again.';
    shop.done(`${account} is blocked and signed out everywhere. ${then}`, { ...factsOf(user), userType: 'BLOCKED' });
  },
};

export const unblockCommand: ShopCommand = {
  name: 'customers unblock',
  summary: 'unblocks a customer, who has the type of before again',
  options,
  inShop: async (given, shop) => {
    const { user, account } = await findNamedCustomer(given, shop);
    if (user.userType !== 'BLOCKED') throw new OperatorError(`${account} is not blocked.`);
    const userType = await typeBeforeBlock(shop.deps.db, user);
    await changeType(shop, given, user, { userType, command: 'customers unblock' });
    const then = userTypes[userType] ? 'may log in again' : 'may not log in';
    shop.done(`${account} is ${userType} again and ${then}.`, { ...factsOf(user), userType });
  },
};

async function typeBeforeBlock(db: Database, { brand, uid }: UserRow): Promise<UserType> {
  // a repeated block goes from BLOCKED to BLOCKED
  const isBlock = sql`${auditLog.detail} ->> 'to' = 'BLOCKED' and ${auditLog.detail} ->> 'from' <> 'BLOCKED'`;
  const [block] = await db
    .select({ detail: auditLog.detail })
    .from(auditLog)
    .where(and(eq(auditLog.brand, brand), eq(auditLog.subject, uid), isBlock))
    .orderBy(desc(auditLog.at))
    .limit(1);
  const from = String(block?.detail['from']);
  return isUserType(from) ? from : 'MEMBER';
}

const typeNames = Object.keys(userTypes).join(', ');

const isUserType = (name: string): name is UserType => Object.hasOwn(userTypes, name);

/** Sets the account type; some types may not use the storefront (`accountTypeRefused`) and are signed out at once. */
export const setTypeCommand: ShopCommand = {
  name: 'customers set-type',
  summary: `sets the type of an account: ${typeNames}`,
  options: { ...options, type: { required: true, value: 'type', summary: `one of ${typeNames}` } },
  inShop: async (given, shop) => {
    const type = requireOption(given, 'type').toUpperCase();
    if (!isUserType(type)) throw new OperatorError(`--type is one of ${typeNames}.`, { badUsage: true });
    const { user, account } = await findNamedCustomer(given, shop);
    await changeType(shop, given, user, { userType: type, command: 'customers set-type' });
    const then = userTypes[type] ? 'and may log in' : 'is signed out everywhere, and may not log in';
    shop.done(`${account} is ${type} now, ${then}.`, { ...factsOf(user), userType: type });
  },
};

async function changeType(
  shop: ShopContext,
  given: OptionValues,
  user: UserRow,
  { userType, command }: { userType: UserType; command: string },
): Promise<void> {
  const detail = { from: user.userType, to: userType };
  await changeCustomer(shop, given, { user, command, detail }, (tx) =>
    setUserType(tx, user, userType, shop.deps.clock()),
  );
}

/** For a customer who lost a phone, or who sees unknown sign-ins. */
export const signOutCommand: ShopCommand = {
  name: 'customers sign-out',
  summary: 'revokes all sessions, TV devices, links, codes and passkeys of a customer now; they can log in again',
  options: { ...options, tv: { value: 'id', summary: 'only this TV device, as customers show has it' } },
  inShop: async (given, shop) => {
    const { user, account } = await findNamedCustomer(given, shop);
    const tv = given['tv']?.trim();
    await changeCustomer(
      shop,
      given,
      { user, command: 'customers sign-out', detail: { ...(tv && { tv }) } },
      async (tx) => {
        if (tv === undefined) await evictSessions(tx, user, shop.deps.clock());
        else if (!(await removeBox(tx, user, tv))) throw new OperatorError(`${account} has no TV device ${tv}.`);
      },
    );
    if (tv !== undefined) return shop.done(`The TV device of ${account} is logged out.`, { ...factsOf(user), tv });
    shop.done(
      `${account} is logged out everywhere. The password is unchanged and can be used to log in again.`,
      factsOf(user),
    );
  },
};

/** Requires a new password before the next purchase, for example after an upgrade (`resetPasswordFirst`). */
export const requireResetCommand: ShopCommand = {
  name: 'customers require-reset',
  summary: "requires a new password before the customer's next purchase",
  options,
  inShop: async (given, shop) => {
    const { brand, user, account } = await findNamedCustomer(given, shop);
    await changeCustomer(shop, given, { user, command: 'customers require-reset' }, (tx) =>
      tx
        .update(users)
        .set({ passwordResetDue: true })
        .where(and(eq(users.brand, brand.code), eq(users.uid, user.uid))),
    );
    shop.done(`${account} is asked for a new password before the next purchase.`, factsOf(user));
  },
};

/** For a number that was reassigned: its new owner could log in with a code by SMS. */
export const removePhoneCommand: ShopCommand = {
  name: 'customers remove-phone',
  summary: 'removes the phone number of a customer who can log in by email, and ends all sessions now',
  options,
  inShop: async (given, shop) => {
    const { brand, user, account } = await findNamedCustomer(given, shop);
    const number = numberOf(user);
    if (number === null) throw new OperatorError(`${account} has no phone number.`);
    const left = await changeCustomer(shop, given, { user, command: 'customers remove-phone' }, async (tx) => {
      const locked = await lockCustomer(tx, user);
      const without = locked && (await dropPhone(tx, { brand, deps: shop.deps }, locked));
      if (!without)
        throw new OperatorError(
          `${account} could not log in without it. Let the owner confirm an address: bind-email.`,
        );
      await evictSessions(tx, without, shop.deps.clock());
      return without;
    });
    const then = 'All sessions have ended, and the customer was told by email';
    shop.done(`The number of ${left.account} is removed. ${then}.`, factsOf(left));
  },
};

/** Mails a confirmation link to an address; opening it adds the address to the account. */
export const bindEmailCommand: ShopCommand = {
  name: 'customers bind-email',
  summary: 'emails an address to confirm that it belongs to an account',
  options: { ...options, email: { required: true, value: 'address', summary: 'the address to bind' } },
  inShop: async (given, shop) => {
    const email = normalizeEmail(requireOption(given, 'email'));
    const named = brandOf(shop.deps, requireOption(given, 'brand'));
    if (!isValidAccount(named, 'email', email))
      throw new OperatorError(`${requireOption(given, 'email')} is not an address that ${named.name} accepts.`);
    const { brand, user, account } = await findNamedCustomer(given, shop);
    await changeCustomer(shop, given, { user, command: 'customers bind-email' }, async (tx) => {
      const outcome = await startBinding(tx, { brand, uid: user.uid, email }, shop.deps);
      if (outcome === 'emailInUse') throw new OperatorError(`${email} belongs to another customer of ${brand.name}.`);
      if (outcome === 'accountNotProved')
        throw new OperatorError(
          `${account} has not been confirmed by its owner, and takes no other address before that.`,
        );
      if (outcome === 'accountNotFound') throw new OperatorError(`${brand.name} has no customer ${account}.`);
    });
    const then = 'the shop sends it as soon as it runs. Nothing changes before its reader says yes.';
    shop.done(`A mail to ${email} is queued; ${then}`, { ...factsOf(user), email });
  },
};
