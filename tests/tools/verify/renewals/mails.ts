import { sql } from 'drizzle-orm';
import { statementRows } from '#server/db/connect.ts';
import { changeCard, comeBack, keep, payByHand, start, stopByLink } from './customer-actions.ts';
import type { Person } from './subscribers.ts';
import type { World } from './world.ts';

const dayMs = 86_400_000;

const subjects = [
  ['notice', /^Your plan renews on /],
  ['refused', /^Your card was declined$/],
  ['confirm', /^Please confirm your renewal$/],
  ['price', /^Your plan has a new price/],
  ['card', /^Your card expires before/],
  ['ended', /^Your plan has ended$/],
  ['off', /^Your plan will no longer renew$/],
  ['leaving', /^Your Lumen account will be deleted on /],
  ['gone', /^Your Lumen account has been deleted$/],
] as const;
export type Kind = (typeof subjects)[number][0];

export interface Mail {
  readonly kind: Kind;
  readonly account: string;
  readonly at: number;
  /** the token of the link that stops the renewal */
  readonly token: string | null;
  /** the announced price of a notice, in minor units */
  readonly price: number;
}

/** A renewal notice that a customer received. */
interface Noticed {
  readonly at: number;
  readonly price: number;
}

/** The sorted timestamps of events by uid, in epoch milliseconds. */
export type Times = Map<string, number[]>;

/** The mails that customers have read. */
export interface Mailbox {
  /** removes the new mails from the outbox and returns them */
  read(): Promise<Mail[]>;
  /** the timestamps of the mails of these kinds, by uid */
  written(kinds: readonly Kind[]): Times;
  /** the notices by uid */
  readonly notices: ReadonlyMap<string, readonly Noticed[]>;
}

export function openMailbox({ db, people, faults }: Pick<World, 'db' | 'people' | 'faults'>): Mailbox {
  const notices = new Map<string, Noticed[]>();
  const written = new Map<Kind, { uid: string; at: number }[]>(subjects.map(([kind]) => [kind, []]));
  return {
    read: async () => {
      const rows = await statementRows(
        db,
        sql`delete from outbox returning recipient, subject, created_at::float8 as at,
          substring(text from '/renewal[?]token=([A-Za-z0-9_-]+)') as token,
          substring(text from 'Price: [^0-9]*([0-9.,]+)') as price`,
      );
      const mails = rows.flatMap((row) => mailOf(row) ?? []);
      for (const { kind, account, at, price } of mails) {
        const person = people.get(account);
        const uid = person?.uid ?? account;
        written.get(kind)?.push({ uid, at });
        if (kind === 'notice') notices.set(uid, [...(notices.get(uid) ?? []), { at, price }]);
        const isLate = person?.leaves !== undefined && at > person.leaves.asked;
        if (isLate && (kind === 'notice' || kind === 'price'))
          faults.push(`${uid} leaves and received a mail of the kind ${kind}`);
      }
      return mails;
    },
    notices,
    written: (kinds) => timesOf(kinds.flatMap((kind) => written.get(kind) ?? [])),
  };
}

export function timesOf(all: readonly { readonly uid: string; readonly at: number }[]): Times {
  const times: Times = new Map();
  for (const { uid, at } of all) {
    const own = times.get(uid);
    if (own) own.push(at);
    else times.set(uid, [at]);
  }
  for (const own of times.values()) own.sort((one, other) => one - other);
  return times;
}

function mailOf({ recipient, subject, at, token, price }: Record<string, unknown>): Mail | undefined {
  const kind = subjects.find(([, pattern]) => pattern.test(String(subject)))?.[0];
  const link = typeof token === 'string' ? token : null;
  const amount = typeof price === 'string' ? Number(price.replaceAll(/\D/g, '')) : 0;
  return kind && { kind, account: String(recipient), at: Number(at), token: link, price: amount };
}

/** A planned action of a customer. */
export interface Plan {
  readonly at: number;
  readonly person: Person;
  readonly act: (world: World, person: Person) => Promise<void>;
}

/** The reaction of a customer to a mail within six days, if any. */
export function answerTo(world: World, { kind, account, token }: Mail): Plan | undefined {
  const { chance, people, clock } = world;
  const person = people.get(account);
  const act = person && reactionTo(world, kind, token);
  return act && { person, act, at: clock.now + chance.next() * 6 * dayMs };
}

/** Cancels the deletion, and sometimes turns the renewal on again. */
const keepAndStart: Plan['act'] = async (world, person) => {
  await keep(world, person);
  if (world.chance.is(0.5)) await start(world, person);
};

function reactionTo({ chance }: World, kind: Kind, token: string | null): Plan['act'] | undefined {
  switch (kind) {
    case 'notice':
      return chance.is(0.02) && token !== null ? (world, person) => stopByLink(world, person, token) : undefined;
    case 'refused':
      return chance.is(0.3) ? changeCard : undefined;
    case 'confirm':
      return chance.is(0.4) ? payByHand : undefined;
    case 'price':
      return chance.is(0.8) ? start : undefined;
    case 'card':
      return chance.is(0.5) ? changeCard : undefined;
    case 'ended':
      return chance.is(0.4) ? comeBack : undefined;
    case 'off':
      return chance.is(0.1) ? start : undefined;
    case 'leaving':
      return chance.is(0.4) ? keepAndStart : undefined;
    case 'gone':
      return undefined;
  }
}
