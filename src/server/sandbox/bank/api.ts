import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import type { Env } from '../../env.ts';
import {
  actSchema,
  bankBase,
  bankKey,
  chargeRequestSchema,
  type ChargeAct,
  type ChargeRequest,
  type ChargeView,
} from '../../payments/sandbox/protocol.ts';
import { chargeOfKey, isWaiting, openCharge, refundCharge, type Bank, type Charge } from './books.ts';
import { changeAsRead } from './change-as-read.ts';
import { blankCharge } from './family.ts';
import { families } from './families.ts';
import { forgetCard } from './kept-cards.ts';
import { shownCharge } from './notices.ts';

type BankWithKey = Bank & { readonly env: Pick<Env, 'SIGNING_SECRET'> };

/**
 * The bank as the shop's adapters reach it ([Note: Sandbox protocol]). First names of payers switch faults on: OUTAGE
 * is a provider that stumbles before it has done anything, LOSTANSWER one that stumbles after it has charged, and
 * REFUSED is somebody whom it does not serve, by whatever family they pay.
 */
export function bankApi(bank: BankWithKey): Hono {
  const api = new Hono().basePath(bankBase);
  // the shop's adapter logs that its bank stumbles; Hono's own words would repeat the values of a statement
  api.onError((_error, c) => c.json({ error: 'broken' }, 503));
  const expected = Buffer.from(`Bearer ${bankKey(bank.env)}`);
  api.use(bodyLimit({ maxSize: 32 * 1024, onError: (c) => c.json({ error: 'too large' }, 413) }), async (c, next) => {
    const given = Buffer.from(c.req.header('authorization') ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return c.json({ error: 'key' }, 401);
    return next();
  });
  api.post('/charges', async (c) => {
    const request = v.safeParse(chargeRequestSchema, await c.req.json());
    if (!request.success) return c.json({ error: v.getDotPath(request.issues[0]) ?? 'body' }, 422);
    const name = firstNameOf(request.output);
    if (name === 'OUTAGE') return c.json({ error: 'outage' }, 503);
    const charge = await charged(bank, request.output);
    return name === 'LOSTANSWER' ? c.json({ error: 'timeout' }, 504) : c.json(viewOf(bank, charge));
  });
  api.post('/charges/:key/inquire', async (c) => c.json(await inquired(bank, c.req.param('key'))));
  api.post('/charges/:key/cancel', async (c) => c.json(await cancelled(bank, c.req.param('key'))));
  api.post('/charges/:key/act', async (c) => {
    const act = v.safeParse(actSchema, await c.req.json());
    const view = act.success ? await acted(bank, c.req.param('key'), act.output) : undefined;
    return view ? c.json(view) : c.json({ error: 'no such charge or act' }, 404);
  });
  api.post('/charges/:key/refund', async (c) => c.json({ done: await refundCharge(bank, c.req.param('key')) }));
  api.post('/cards/:token/forget', async (c) => c.json({ done: await forgetCard(bank, c.req.param('token')) }));
  return api;
}

const firstNameOf = ({ payer, card }: ChargeRequest) => payer.firstName ?? card?.holderFirstName;

/** A repeat of a key gets the charge of the first; what it would do now is not asked. */
async function charged(bank: Bank, request: ChargeRequest): Promise<Charge> {
  const known = await chargeOfKey(bank, request.key);
  if (known) return known;
  if (firstNameOf(request) === 'REFUSED') {
    return openCharge(bank, { ...blankCharge(bank, request), status: 'declined', declineCode: 2003 });
  }
  const { charge, notices } = await families[request.kind].open(bank, request);
  return openCharge(bank, charge, notices);
}

/** Asking about a key that was never seen ends it, so that a request still under way cannot charge it afterwards. */
async function inquired(bank: Bank, key: string): Promise<ChargeView> {
  return viewOf(bank, (await chargeOfKey(bank, key)) ?? (await closedKey(bank, key)));
}

async function cancelled(bank: Bank, key: string): Promise<ChargeView> {
  const charge = (await chargeOfKey(bank, key)) ?? (await closedKey(bank, key));
  if (isWaiting(charge) && families[charge.kind].mayCancel?.(charge) !== false) {
    // what arrives in between is not called off: then the charge is no longer as it was read
    await changeAsRead(bank, charge, { status: 'declined', declineCode: 2007, ripens: null, ripeAt: null });
  }
  return inquired(bank, key);
}

async function acted(bank: Bank, key: string, act: ChargeAct): Promise<ChargeView | undefined> {
  const charge = await chargeOfKey(bank, key);
  if (!charge) return undefined;
  const refusal = isWaiting(charge) ? await families[charge.kind].act?.(bank, charge, act) : undefined;
  return { ...(await inquired(bank, key)), ...(refusal && { refusal }) };
}

function closedKey(bank: Bank, key: string): Promise<Charge> {
  const nothing = { key, gateway: '', kind: 'card', methodCode: '', brand: '', amount: 0, currency: '' } as const;
  const rest = { merchantName: '', installments: 1, payer: {}, returnUrl: '', label: '' };
  const charge = blankCharge(bank, { ...nothing, ...rest });
  return openCharge(bank, { ...charge, status: 'declined', declineCode: 2003 });
}

function viewOf(bank: Bank, charge: Charge): ChargeView {
  const todo = isWaiting(charge) ? families[charge.kind].todo(charge, bank.clock()) : undefined;
  return shownCharge(charge, todo);
}
