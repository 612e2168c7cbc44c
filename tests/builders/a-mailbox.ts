import * as v from 'valibot';
import { hashPassword } from '#server/auth/password.ts';
import { createUser } from '#server/auth/signup.ts';
import type { UserRow } from '#server/auth/users.ts';
import type { AccountType } from '#contract/user.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import type { TestApp } from './test-app.ts';

const messagesSchema = v.array(
  v.strictObject({
    to: v.string(),
    channel: v.picklist(['mail', 'sms']),
    subject: v.string(),
    text: v.string(),
    at: v.number(),
  }),
);
export type Message = v.InferOutput<typeof messagesSchema>[number];

/** Runs the job that writes the requested messages; returns those of a recipient, newest first. */
export async function mailboxOf({ app, deps }: TestApp, to: string, host = 'localhost'): Promise<Message[]> {
  await writeRequestedMessages(deps);
  const address = `http://${host}/dev/outbox.json?to=${encodeURIComponent(to)}`;
  return v.parse(messagesSchema, await (await app.request(address)).json());
}

/** The only link in the text of a mail, and the token of its query. */
export function linkOf({ text }: Pick<Message, 'text'>): { url: URL; token: string } {
  const [found, ...more] = text.match(/https?:\/\/\S+/g) ?? [];
  if (found === undefined || more.length > 0) throw new Error(`One link was expected in ${text}`);
  const url = new URL(found);
  return { url, token: url.searchParams.get('token') ?? '' };
}

let created = 0;

/** A customer that is inserted into the database directly; `proven` means a verified account. */
export async function aMember(
  { deps }: TestApp,
  given: { account?: string; type?: AccountType; brand?: string; proven?: boolean; password?: string } = {},
): Promise<UserRow> {
  created += 1;
  const { type = 'email', proven = false, password = 'secret-123' } = given;
  const account = given.account ?? (type === 'email' ? `member${created}@example.com` : `551190000${1000 + created}`);
  const brand = deps.catalog.byCode(given.brand ?? 'lumen');
  if (!brand) throw new Error('no such brand');
  const identity = { account, type, areaCode: type === 'phone' ? '55' : null };
  const passwordHash = await hashPassword(password, 'a test');
  const user = await createUser(deps.db, { brand, identity, passwordHash, language: 'en', proven }, deps);
  if (!user) throw new Error(`${account} is taken`);
  return user;
}
