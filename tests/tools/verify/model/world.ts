import { eq, sql } from 'drizzle-orm';
import type { OrderStatus } from '#contract/order-status.ts';
import { type Database, statementRows } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger, refunds } from '#server/db/schema/ledger.ts';
import { coupons, orders } from '#server/db/schema/orders.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { periodOwner, periodsOf, type PeriodRow } from '#server/site/periods.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { insertCustomers, type SignedIn } from '#tests/builders/a-customer.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import { testNow } from '#tests/builders/test-app.ts';
import { connectionOver, type Connection } from '../connection.ts';
import { findProviderCharges, type ProviderCharge } from '../provider-charges.ts';
import { hostOf } from '../payment-methods.ts';
import { openGatewayFaults, type GatewayFaults } from './gateway-faults.ts';

/** A database on which stories are played one after another. */
export interface Stage {
  readonly db: Database;
  /** the current time of the story, which starts on the same day for each; epoch milliseconds */
  now: number;
}

/** One customer of a shop that can be killed and restarted at any time. */
export interface World {
  readonly stage: Stage;
  readonly customer: SignedIn;
  readonly host: string;
  /** the trial of Mego's customers, for several devices */
  readonly trial: { readonly devices: number; readonly start: number; readonly end: number } | undefined;
  /** the coupons of this story with two uses each: `half` takes 50 % off, `free` 100 % */
  readonly coupons: { readonly half: string; readonly free: string };
  readonly gatewayFaults: GatewayFaults;
  readonly connection: Connection;
  shop: Shop;
  /** kills and restarts the process: only the database remains */
  restart(): Promise<void>;
}

/** All records of this customer. */
export interface Records {
  readonly orders: (typeof orders.$inferSelect)[];
  readonly attempts: (typeof attempts.$inferSelect)[];
  readonly ledger: (typeof ledger.$inferSelect)[];
  /** partial refunds, including pending ones */
  readonly refunds: (typeof refunds.$inferSelect)[];
  readonly takings: readonly ProviderCharge[];
  readonly coupons: { readonly code: string; readonly used: number }[];
  readonly expiredTime: number | null;
  readonly graceUntil: number | null;
  /** the current and later periods, as the account shows them */
  readonly periods: readonly PeriodRow[];
}

/** Longer than any story with its months. */
const longestStoryMs = 10 * 365 * 86_400_000;

const trialMs = 5 * 86_400_000;

/** A status change that the database recorded. */
export interface Move {
  readonly seq: number;
  readonly orderId: string;
  readonly before: OrderStatus | null;
  readonly after: OrderStatus;
}

/** Creates a trigger that records every status change of an order. */
export async function openStage(db: Database): Promise<Stage> {
  await db.execute(
    sql`create table if not exists status_moves (seq bigserial primary key, order_id text not null, before text, after text not null)`,
  );
  await db.execute(sql`create or replace function note_move() returns trigger language plpgsql as $$
    begin
      insert into status_moves (order_id, before, after)
      values (new.order_id, case when tg_op = 'UPDATE' then old.status end, new.status);
      return null;
    end $$`);
  await db.execute(
    sql`create or replace trigger note_move after insert or update of status on orders for each row execute function note_move()`,
  );
  return { db, now: testNow };
}

export async function aWorld(stage: Stage, brand: string): Promise<World> {
  const { db } = stage;
  stage.now = testNow;
  const [customer] = await insertCustomers(db, brand, 1, stage.now);
  if (!customer) throw new Error('no customer');
  const trial = brand === 'mego' ? { devices: 3, start: stage.now, end: stage.now + trialMs } : undefined;
  const trialColumns = trial && { limitCount: trial.devices, expiredTime: trial.end };
  await db
    .update(users)
    .set({ passwordHash: cheapPassword.hash, ...trialColumns })
    .where(eq(users.uid, customer.uid));
  await db
    .update(sessions)
    .set({ expiresAt: stage.now + longestStoryMs })
    .where(eq(sessions.uid, customer.uid));
  const code = customer.uid.slice(0, 8).toUpperCase();
  const codes = { half: `HALF${code}`, free: `FREE${code}` };
  const coupon = { brand, kind: 'percent', startsAt: 0, endsAt: 9e12, maxUses: 2 } as const;
  await db.insert(coupons).values([
    { ...coupon, code: codes.half, value: 50 },
    { ...coupon, code: codes.free, value: 100 },
  ]);
  const gatewayFaults = openGatewayFaults();
  const open = async () => {
    const shop = await aShop(db, { deps: (base) => ({ gateways: gatewayFaults.over(base.gateways) }) });
    shop.clock.now = stage.now;
    return shop;
  };
  const world: World = {
    stage,
    customer,
    host: hostOf(brand),
    trial,
    coupons: codes,
    gatewayFaults,
    shop: await open(),
    connection: connectionOver(async ({ method, path, host, headers, body }) => {
      const init = { method, headers: { host, ...headers }, ...(body !== undefined && { body }) };
      const response = await world.shop.app.request(`http://${host}${path}`, init);
      return { status: response.status, text: await response.text() };
    }),
    restart: async () => {
      world.shop = await open();
    },
  };
  return world;
}

/** Advances the clock of the story and its shop. */
export function passTime({ stage, shop }: World, ms: number): void {
  stage.now += ms;
  shop.clock.now = stage.now;
}

export async function recordsOf({ stage: { db, now }, customer: { uid }, coupons: codes }: World): Promise<Records> {
  const own = db.select({ orderId: orders.orderId }).from(orders).where(eq(orders.uid, uid));
  const [user] = await db.select(periodOwner).from(users).where(eq(users.uid, uid));
  const tries = await db.select().from(attempts).where(eq(attempts.uid, uid)).orderBy(attempts.createdAt, attempts.id);
  return {
    orders: await db.select().from(orders).where(eq(orders.uid, uid)).orderBy(orders.createdAt, orders.orderId),
    attempts: tries,
    ledger: await db
      .select()
      .from(ledger)
      .where(sql`${ledger.orderId} in ${own}`),
    refunds: await db
      .select()
      .from(refunds)
      .where(sql`${refunds.orderId} in ${own}`),
    takings: await findProviderCharges(
      db,
      tries.map(({ id }) => id),
    ),
    coupons: await db
      .select({ code: coupons.code, used: coupons.used })
      .from(coupons)
      .where(sql`${coupons.code} in (${codes.half}, ${codes.free})`),
    expiredTime: user?.expiredTime ?? null,
    graceUntil: user?.graceUntil ?? null,
    periods: user ? await periodsOf(db, user, now) : [],
  };
}

/** The status changes of all orders since `after`, oldest first. */
export async function movesSince({ db }: Stage, after: number): Promise<Move[]> {
  const rows = await statementRows(
    db,
    sql`select seq::int as seq, order_id, before, after from status_moves where seq > ${after} order by seq`,
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    orderId: String(row.order_id),
    // as: the column contains values of `orders.status`
    before: row.before as OrderStatus | null,
    after: row.after as OrderStatus,
  }));
}
