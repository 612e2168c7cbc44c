import { randomUUID } from 'node:crypto';
import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { sessionLengthMs } from '#contract/limits.ts';
import { tokenHash } from '#server/auth/session.ts';
import type { Database } from '#server/db/connect.ts';
import { sessions } from '#server/db/schema/users.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import type { Words } from './schema-value.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** A response. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Send = (shot: FuzzRequest) => Promise<Reply>;

interface Actor {
  readonly brand: string;
  readonly host: string;
  readonly uid: string;
  readonly account: string;
  token: string;
}

/** The input of a valid call, and the customer who made it. */
export interface Right {
  readonly actor: Actor;
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
}

/** Customers with orders, and existing values of their shop. */
export interface World {
  readonly actors: readonly Actor[];
  readonly words: Words;
  inputs(name: string): readonly Right[];
  /** creates new sessions for all customers: valid requests have ended some */
  renew(): Promise<void>;
}

const hosts = { lumen: 'localhost', mego: 'mego.localhost', baobab: 'baobab.localhost' } as const;
const plans = { lumen: '101', mego: '201', baobab: '301' } as const;
const currencies = {
  lumen: ['BRL', 'USD'],
  mego: ['USD', 'RUB', 'SGD', 'CNY'],
  baobab: ['KES', 'XOF', 'UGX'],
} as const;
type BrandCode = keyof typeof hosts;

const card = {
  number: '4242424242424242',
  expiry: '12/39',
  code: '123',
  holderFirstName: 'Ana',
  holderLastName: 'Lima',
};
const address = { zipCode: '01310100', state: 'SP', city: 'Sao Paulo', street: 'Paulista', streetNumber: '1' };
const payer = {
  firstName: 'Ana',
  lastName: 'Lima',
  document: '52998224725',
  birthDate: '1990-01-31',
  phone: '11987654321',
  address,
};

/** Creates customers of each brand, each with a payment by every method. `now` is epoch milliseconds. */
export async function makeWorld(db: Database, send: Send, now: () => number): Promise<World> {
  const actors = await putActors(db, now());
  const validInputs = new Map<string, Right[]>();
  const words = plainWords(actors);
  const note = (endpoint: Endpoint, right: Right) =>
    void validInputs.set(endpoint.name, [...(validInputs.get(endpoint.name) ?? []), right]);
  for (const actor of actors) await buyEverything(actor, { send, words, note });
  const renew = async () => {
    for (const actor of actors) actor.token = systemRandom.token(32);
    const expiresAt = now() + 10 * sessionLengthMs;
    await db.insert(sessions).values(
      actors.map(({ token, brand, uid }) => ({
        tokenHash: tokenHash(token),
        brand,
        uid,
        createdAt: now(),
        expiresAt,
      })),
    );
  };
  return { actors, words, inputs: (name) => validInputs.get(name) ?? [], renew };
}

async function putActors(db: Database, now: number): Promise<Actor[]> {
  const actors: Actor[] = [];
  // as: the keys of a constant table
  for (const brand of Object.keys(hosts) as BrandCode[]) {
    const customers = await insertCustomers(db, brand, 2, now);
    actors.push(...customers.map((customer) => ({ ...customer, host: hosts[brand] })));
  }
  return actors;
}

interface Recording {
  readonly send: Send;
  readonly words: Record<string, string[]>;
  note(endpoint: Endpoint, right: Right): void;
}

async function buyEverything(actor: Actor, recording: Recording): Promise<void> {
  // as: actors are of these brands
  const brand = actor.brand as BrandCode;
  const planId = plans[brand];
  for (const currency of currencies[brand]) {
    const offered = await call(recording.send, endpoints.paymentMethods, { body: { planId, currency } }, actor);
    for (const { code, fields } of offered ?? []) {
      const wish = { planId, methodCode: code, currency };
      recording.note(endpoints.goodsValuation, { actor, body: wish });
      recording.note(endpoints.installmentsPlan, { actor, body: wish });
      const quote = await call(recording.send, endpoints.goodsValuation, { body: wish }, actor);
      if (!quote) continue;
      const body = {
        ...wish,
        quoteId: quote.quoteId,
        installments: 1,
        ...(fields.includes('card') && { card }),
        payer: { ...payer, ...(fields.includes('mobile') && { phone: '712345678' }) },
        returnUrl: '/paymentResult',
        source: 'WEB',
      } as const;
      recording.note(endpoints.pay, { actor, body });
      await payOnce(actor, body, recording);
    }
  }
}

async function payOnce(actor: Actor, body: Input<typeof endpoints.pay>['body'], { send, words, note }: Recording) {
  const answer = await call(send, endpoints.pay, { body }, actor);
  if (!answer) return;
  const { orderId, resultToken } = answer;
  words['orderId']?.push(orderId);
  words['id']?.push(orderId, resultToken);
  words['token']?.push(resultToken);
  note(endpoints.repay, { actor, body: { ...body, orderId } });
  for (const endpoint of [endpoints.paymentInfo, endpoints.orderRemind, endpoints.useepayCreate]) {
    note(endpoint, { actor, body: { orderId } });
  }
  note(endpoints.payssionCreate, { actor, body: { orderId } });
  note(endpoints.liQuiDoConfirm, { actor, body: { orderId, otp: '123456' } });
  note(endpoints.paymentCrypto, { actor, body: { orderId, coin: 'usdt-tron' } });
  note(endpoints.orderUpload, { actor, body: { orderId, objectId: 'x' } });
  for (const endpoint of [endpoints.order, endpoints.service]) note(endpoint, { actor, params: { id: orderId } });
  note(endpoints.unbindDiscountCode, { actor, query: { orderId, discountCode: 'FIRST' } });
}

/** Returns undefined for a refusal: not every method accepts every currency. */
async function call<E extends Endpoint>(
  send: Send,
  endpoint: E,
  input: Input<E>,
  actor: Actor,
): Promise<Result<E> | undefined> {
  // as: `Input` has exactly these parts
  const { body } = input as { body?: object };
  const reply = await send({
    at: endpoint.name,
    method: endpoint.method,
    host: actor.host,
    target: endpoint.path,
    headers: { Authorization: actor.token, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify(body ?? {}),
  });
  // as: the envelope of a success, whose payload the endpoint describes
  const envelope = JSON.parse(reply.text) as { code: number } & Record<string, Result<E> | undefined>;
  return envelope.code === 0 ? envelope[endpoint.payload] : undefined;
}

function plainWords(actors: readonly Actor[]): Record<string, string[]> {
  return {
    planId: ['101', '102', '103', '201', '202', '301'],
    id: ['101', '201', '301'],
    methodCode: [
      'card',
      'pix',
      'boleto',
      'crypto',
      'paypal',
      'paynow',
      'caishen',
      'alipay',
      'yoomoney',
      'mpesa',
      'orange',
    ],
    currency: ['BRL', 'USD', 'RUB', 'SGD', 'CNY', 'KES', 'XOF'],
    orderId: [],
    token: [],
    uid: actors.map(({ uid }) => uid),
    account: [...actors.map(({ account }) => account), '11987654321', 'new.person@example.com'],
    email: actors.map(({ account }) => account),
    areaCode: ['55', '7', '254'],
    password: ['a song of two rivers', 'secret-123'],
    newPassword: ['a song of two rivers'],
    currentPassword: ['secret-123'],
    nickname: ['Ana Lima', ''],
    number: [card.number, '4000000000000002', '4000002500003155'],
    expiry: [card.expiry],
    code: ['123', '1234'],
    discountCode: ['WELCOME10', 'FIRST', 'ONCE'],
    returnUrl: ['/paymentResult'],
    document: [payer.document],
    phone: [payer.phone],
    birthDate: [payer.birthDate],
    firstName: ['Ana'],
    lastName: ['Lima'],
    coin: ['usdt-tron', 'btc-bitcoin'],
    language: ['en'],
    userCode: ['BCDF-GHJK'],
  };
}
