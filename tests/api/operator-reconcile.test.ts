import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempts, type AttemptState } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { byPix, type Shop } from '#tests/builders/a-shop.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

const dayMs = 86_400_000;
let cli: OperatorDemo;
let shop: Shop;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-reconcile-'));
  cli = await startOperatorDemo({
    deps: ({ gateways }) => {
      const { useepay } = gateways;
      if (!useepay) throw new Error('no gateway');
      // no request is sent: only its name matters
      return { gateways: { ...gateways, stripe: useepay } };
    },
  });
  shop = cli.shop;
}, 60_000);
afterAll(async () => {
  await cli?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Paid {
  readonly orderId: string;
  readonly key: string;
  readonly reference: string;
}

let months = 0;
/** Moves the clock into the middle of days in which no other payment is. */
function nextMonth(): { from: string; to: string } {
  months += 1;
  shop.clock.now = Date.UTC(2027, months, 15, 12);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: day(shop.clock.now - 10 * dayMs), to: day(shop.clock.now + 10 * dayMs) };
}

/** A payment at a gateway, with an id of that provider. */
async function pay(gateway: 'stripe' | 'paypal' | 'sandbox', wish = {}): Promise<Paid> {
  const [ana] = await shop.buyers(1);
  if (!ana) throw new Error('no customer');
  const { orderId } = (await ana.pay(wish)).data;
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  if (!attempt) throw new Error('no attempt');
  const reference = `${gateway === 'stripe' ? 'pi_' : ''}${shop.deps.random.token(12).replaceAll(/\W/g, 'x')}`;
  const providerRef = gateway === 'paypal' ? `capture:${reference}` : reference;
  await shop.db.update(attempts).set({ gateway, providerRef }).where(eq(attempts.id, attempt.id));
  return { orderId, key: attempt.id, reference };
}

/** Books another movement of a payment, in minor units. */
const book = ({ orderId, key }: Paid, kind: (typeof ledger.$inferInsert)['kind'], amount: number) =>
  shop.db.insert(ledger).values({
    id: crypto.randomUUID(),
    brand: 'lumen',
    orderId,
    attemptId: key,
    kind,
    amount,
    currency: 'BRL',
    at: shop.clock.now,
    giveBackAt: null,
  });

async function reconcile(lines: readonly string[], ...options: string[]) {
  const file = join(folder, 'file.csv');
  writeFileSync(file, `${lines.join('\r\n')}\r\n`);
  const said = await cli.run('report', 'reconcile', `--file=${file}`, '--json', ...options);
  const found = said.facts.map(({ difference, what, orderId, reference, provider, shop: own }) => ({
    difference,
    what,
    orderId,
    reference,
    amounts: [provider, own].map((money) => (money as { amount: number }).amount), // as: money in every row
  }));
  return { ...said, found };
}

const stripeHead =
  'balance_transaction_id,created_utc,currency,gross,reporting_category,payment_intent_id,payment_metadata[attempt],' +
  'customer_facing_amount,customer_facing_currency';
const at = () => new Date(shop.clock.now).toISOString().slice(0, 19).replace('T', ' ');
const stripeLine = (category: string, { reference, key }: Paid, amount: string, currency = 'brl') =>
  `txn_1,${at()},usd,1.23,${category},${reference},${key},${amount},${currency}`;
const stripe = (days: { from: string; to: string }) => ['--gateway=stripe', `--from=${days.from}`, `--to=${days.to}`];
const row = ({ orderId, reference }: Paid) => ({ orderId, reference });

describe('a file of Stripe', () => {
  it('with every payment, refund and dispute of the shop differs in nothing', async () => {
    const days = nextMonth();
    const [plain, refunded, disputed] = [await pay('stripe'), await pay('stripe'), await pay('stripe')];
    await book(refunded, 'part 1', -500);
    await book(disputed, 'chargeback', -1990);
    const lines = [
      stripeHead,
      stripeLine('charge', plain, '19.90'),
      stripeLine('charge', refunded, '19.90'),
      stripeLine('refund', refunded, '-5.00'),
      stripeLine('charge', disputed, '19.90'),
      `txn_2,${at()},usd,-4.10,dispute,${disputed.reference},${disputed.key},,`,
      `txn_3,${at()},usd,-500.00,payout,,,,`,
    ];
    expect(await reconcile(lines, ...stripe(days))).toMatchObject({ code: 0, found: [] });
    const unkeyed = lines.map((line) => line.replace('payment_metadata[attempt]', 'payment_metadata[other]'));
    expect(await reconcile(unkeyed, ...stripe(days))).toMatchObject({ code: 0, found: [] });
  });

  it('names what only one of the two has, and other amounts and currencies', async () => {
    const days = nextMonth();
    const [less, other] = [await pay('stripe'), await pay('stripe')];
    const [missing, unrefunded] = [await pay('stripe'), await pay('stripe')];
    const stranger = { orderId: '', key: crypto.randomUUID(), reference: 'pi_stranger' };
    const { code, found, told } = await reconcile(
      [
        stripeHead,
        stripeLine('charge', less, '19.80'),
        stripeLine('charge', other, '19.90', 'usd'),
        stripeLine('charge', stranger, '49.90'),
        stripeLine('charge', unrefunded, '19.90'),
        stripeLine('refund', unrefunded, '-19.90'),
      ],
      ...stripe(days),
    );
    expect(code).toBe(1);
    expect(told).toContain('Differences that need a person: 5.');
    expect(found).toEqual([
      { difference: 'amount differs', what: 'payment', ...row(less), amounts: [1980, 1990] },
      { difference: 'amount differs', what: 'payment', ...row(other), amounts: [1990, 1990] },
      { difference: 'only at provider', what: 'payment', orderId: null, reference: 'pi_stranger', amounts: [4990, 0] },
      { difference: 'only at provider', what: 'refund', ...row(unrefunded), amounts: [1990, 0] },
      { difference: 'only in shop', what: 'payment', ...row(missing), amounts: [0, 1990] },
    ]);
  });

  it('that was exported from the page Payments is read as well', async () => {
    const days = nextMonth();
    const paid = await pay('stripe');
    await book(paid, 'chargeback', -1990); // this file has no columns of disputes
    const head = 'id;Created date (UTC);Amount;Amount Refunded;Currency;Status;PaymentIntent ID';
    const line = (status: string, reference: string) => `ch_1;${at()};"19,90";"0,00";brl;${status};${reference}`;
    const lines = [`\uFEFF${head}`, line('Paid', paid.reference), line('Failed', 'pi_failed')];
    expect(await reconcile(lines, ...stripe(days))).toMatchObject({ code: 0, found: [] });
  });
});

describe('a payment at the edge of a file', () => {
  it('is named for the next file, because the provider may book it on another day, but not in the middle', async () => {
    const days = nextMonth();
    const lines = [stripeHead, `txn_9,${at()},usd,1,payout,,,,`];
    shop.clock.now = Date.parse(`${days.to}T23:59:00Z`);
    const late = await pay('stripe');
    const near = { difference: 'near the edge', ...row(late), amounts: [0, 1990] };
    expect(await reconcile(lines, ...stripe(days))).toMatchObject({ code: 0, found: [near] });
    shop.clock.now += 2 * 60_000;
    const next = new Date(shop.clock.now).toISOString().slice(0, 10);
    const booked = [stripeHead, stripeLine('charge', late, '19.90')];
    expect(await reconcile(booked, ...stripe({ from: next, to: next }))).toMatchObject({ code: 0, found: [] });
    const longer = new Date(shop.clock.now + 5 * dayMs).toISOString().slice(0, 10);
    expect(await reconcile(lines, ...stripe({ from: days.from, to: longer }))).toMatchObject({
      code: 1,
      found: [{ difference: 'only in shop', ...row(late) }],
    });
  });
});

describe('a payment without a result', () => {
  const states: readonly [AttemptState, boolean][] = [
    ['INTENT', true],
    ['FAILED', true],
    ['EXPIRED', true],
    ['INTENT', false],
  ];
  it.each(states)('is named with its state: %s, in the file: %s', async (state, isInFile) => {
    const days = nextMonth();
    const open = await pay('stripe', byPix);
    await shop.db.update(attempts).set({ state, updatedAt: shop.clock.now }).where(eq(attempts.id, open.key));
    const lines = [stripeHead, ...(isInFile ? [stripeLine('charge', open, '19.90')] : [])];
    const { code, found, facts } = await reconcile(lines, ...stripe(days));
    expect(found.map(({ difference, orderId }) => [difference, orderId])).toEqual([
      [isInFile ? 'status differs' : 'unknown', open.orderId],
    ]);
    expect(facts).toMatchObject([{ state: state.toLowerCase() }]);
    expect(code).toBe(isInFile ? 1 : 0);
    await shop.db.update(attempts).set({ state: 'EXPIRED' }).where(eq(attempts.id, open.key));
  });
});

describe('other files', () => {
  it('of PayPal are read without the dates, whose order depends on the account', async () => {
    const days = nextMonth();
    const paid = await pay('paypal');
    await book(paid, 'refund', -1990);
    const head =
      '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID",' +
      '"Reference Txn ID","Invoice Number","Custom Number"';
    const line = (type: string, gross: string, id: string, reference: string, custom: string) =>
      `"15/01/2027","12:00:00","BRT","Ana","${type}","Completed","BRL","${gross}","0,00","0,00","${id}","${reference}","","${custom}"`;
    const lines = [
      head,
      line('Express Checkout Payment', '19,90', paid.reference, '', paid.key),
      line('Payment Refund', '-19,90', 'REFUND1', paid.reference, `${paid.key}:1`),
      line('General Withdrawal', '-1.000,00', 'W1', '', ''),
    ];
    const options = ['--gateway=paypal', `--from=${days.from}`, `--to=${days.to}`];
    expect(await reconcile(lines, ...options)).toMatchObject({ code: 0, found: [] });
    expect((await reconcile(lines, '--gateway=paypal')).told).toContain('--from is missing');
  });

  it('have the columns that the operator names', async () => {
    nextMonth();
    const paid = await pay('sandbox');
    const line = (reference: string, amount: string, status: string, hours: number) =>
      `${reference}\t${amount}\tBRL\t${status}\t${new Date(shop.clock.now + hours * 3_600_000).toISOString()}`;
    const lines = [
      'Ref\tValue\tCur\tState\tDay',
      line('earlier', '1.00', 'failed', -90),
      line(paid.reference, 'R$ 19,90', 'paid', 0),
      line('not-here', '1,019.90', 'paid', 1),
      line('later', '1.00', 'pending', 90),
    ];
    const columns = ['reference=Ref', 'amount=Value', 'currency=Cur', 'status=State', 'date=Day'].map(
      (pair) => `--${pair.replace('=', '-column=')}`,
    );
    const { found } = await reconcile(lines, '--gateway=sandbox', ...columns);
    expect(found).toMatchObject([{ difference: 'only at provider', reference: 'not-here', amounts: [101_990, 0] }]);
  });

  it('are refused with the reason', async () => {
    const days = stripe(nextMonth());
    expect((await reconcile(['a,b', '1,2'], ...days)).told).toContain('payment_intent_id');
    expect((await reconcile(['a,b', '1,2'], ...days.slice(1), '--gateway=sandbox')).told).toContain(
      '--reference-column',
    );
    expect((await reconcile(['a'], ...days.slice(1), '--gateway=nobody')).code).toBe(2);
    const broken = stripeLine('charge', { orderId: '', key: '', reference: 'pi_1' }, '19.9055');
    expect((await reconcile([stripeHead, broken], ...days)).told).toContain('Line 2');
    expect((await cli.run('report', 'reconcile', '--gateway=stripe', '--file=/nowhere')).told).toContain(
      'cannot be read',
    );
  });
});
