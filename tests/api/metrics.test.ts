import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outbox } from '#server/db/schema/outbox.ts';
import { brands } from '#server/db/schema/brands.ts';
import { addServerMetrics } from '#server/http/mount-health.ts';
import { defaultReconcileAfterMs, reconcile } from '#server/jobs/reconcile.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { aRenewing, advanceDays, clearRenewals } from '#tests/builders/a-renewal.ts';
import { aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { aStripeShop, byCard, pageAt, whenever, type StripeShop } from '#tests/builders/stripe-shop.ts';

/** The values of a metric by their labels, such as `brand=lumen method=pix`. */
async function valuesOf({ deps }: Pick<Shop, 'deps'>, name: string): Promise<Record<string, number>> {
  const text = await deps.metrics.registry.metrics();
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? ([\\d.e+]+)$`, 'gm'));
  return Object.fromEntries(
    Array.from(lines, ([, labels = '', value]) => [labels.replaceAll('"', '').replaceAll(',', ' '), Number(value)]),
  );
}

describe('a provider that is down', () => {
  let shop: StripeShop;
  beforeAll(async () => {
    shop = await aStripeShop();
  });
  afterAll(() => shop.close());

  it('is visible in the metrics of payments and requests, and in one line of the log', async () => {
    shop.stripe.spoil(whenever('POST /v1/checkout/sessions', 500));
    for (let payment = 0; payment < 5; payment += 1) {
      const { data } = await (await shop.buyer()).pay(byCard);
      expect(data.status).toBe('SUBMITTED');
    }
    shop.stripe.spoil(undefined);
    const labels = 'brand=lumen method=card gateway=stripe kind=purchase';
    expect(await valuesOf(shop, 'payment_attempts_total')).toEqual({ [`${labels} outcome=unknown`]: 5 });
    expect(await valuesOf(shop, 'provider_requests_total')).toMatchObject({ 'provider=stripe outcome=error': 5 });
    const warnings = shop.logged().match(/.*a provider does not answer.*/g) ?? [];
    expect(warnings).toHaveLength(1);
    expect(JSON.parse(warnings[0] ?? '{}')).toMatchObject({ level: 40, provider: 'stripe', outcome: 'error' });

    const { data } = await (await shop.buyer()).pay(byCard);
    expect(shop.logged()).toContain('a provider answers again');
    shop.stripe.payAt(pageAt(data.next));
    await shop.hear();
    expect(await valuesOf(shop, 'payment_attempts_total')).toEqual({
      [`${labels} outcome=unknown`]: 5,
      [`${labels} outcome=pending`]: 1,
      [`${labels} outcome=paid`]: 1,
    });
    expect((await valuesOf(shop, 'notices_total'))['gateway=stripe']).toBeGreaterThan(0);
    expect((await valuesOf(shop, 'notice_lag_seconds_count'))['gateway=stripe']).toBeGreaterThan(0);
  });

  it('and takes money back later is counted once for each payment', async () => {
    const { data } = await (await shop.buyer()).pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    await shop.hear();
    const { id } = await shop.tryOf(data.orderId);
    for (const status of ['needs_response', 'under_review', 'lost']) {
      shop.stripe.dispute(id, status, status === 'lost' ? 'charge.dispute.closed' : undefined);
      await shop.hear();
    }
    expect(await valuesOf(shop, 'disputes_total')).toEqual({ 'gateway=stripe brand=lumen': 1 });
    const alerts = await shop.db.select().from(outbox).where(eq(outbox.recipient, 'operations@lumen.example'));
    expect(alerts.filter(({ text }) => text.includes(data.orderId)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/Responder até: 12 de dezembro de 2026 às 20:59 \(BRT\)/),
    ]);
  });

  it('is not hidden in the log behind probes', async () => {
    const before = shop.logged().length;
    for (const path of ['/healthz', '/healthz/started', '/readyz', '/metrics', '/api/nothing'])
      await shop.app.request(path);
    const lines = shop
      .logged()
      .slice(before)
      .match(/"msg":"request"/g);
    expect(lines).toHaveLength(1);
  });
});

describe('web vitals of visitors', () => {
  it('are counted by route, and everything else is refused', async () => {
    const shop = await aShop();
    const post = async (body: unknown) =>
      (await shop.app.request('/vitals-reports', { method: 'POST', body: JSON.stringify(body) })).status;
    expect(await post({ route: '/pricing-table', LCP: 1500, INP: 90, CLS: 0.01 })).toBe(204);
    expect(await post({ route: '/pricing-table', LCP: 2600 })).toBe(204);
    for (const wrong of [
      { route: '/made-up', LCP: 1 },
      { LCP: 1 },
      { route: '/', LCP: -1 },
      { route: '/', uid: 'x' },
      7,
    ])
      expect(await post(wrong), JSON.stringify(wrong)).toBe(400);
    expect(await valuesOf(shop, 'web_vitals_lcp_seconds_sum')).toEqual({ 'route=/pricing-table': 4.1 });
    expect(await valuesOf(shop, 'web_vitals_inp_seconds_count')).toEqual({ 'route=/pricing-table': 1 });
    await shop.close();
  });
});

describe('the work of a shop', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await aShop();
    addServerMetrics(shop.deps);
  });
  afterAll(() => shop.close());

  it('has the age of the oldest message by lane, and the number of renewals that are due', async () => {
    const ana = await aRenewing(shop);
    expect(await valuesOf(shop, 'renewals_due')).toEqual({ 'status=on': 0, 'status=pastDue': 0, 'status=renewing': 0 });
    const brand = shop.deps.catalog.byCode('lumen') ?? expect.fail('no brand');
    await queueMail(shop.db, { brand, to: ana.account, asked: true, subject: 'A', text: 'b', html: 'c' }, shop.deps);
    shop.clock.advance(90_000);
    expect(await valuesOf(shop, 'outbox_oldest_seconds')).toMatchObject({
      'lane=smsCodes': 0,
      'lane=mailCodes': 90,
      'lane=offers': 0,
    });
    await advanceDays(shop, 27);
    shop.clock.advance(3 * 86_400_000);
    expect(await valuesOf(shop, 'renewals_due')).toMatchObject({ 'status=on': 1 });
    await clearRenewals(shop);
  });

  it('has the duration and the last success of each job', async () => {
    await startJobs(shop.deps)();
    const runs = await valuesOf(shop, 'job_duration_seconds_count');
    expect(runs).toMatchObject({
      'job_name=renew-due': 1,
      'job_name=reconcile': 1,
      'job_name=send-outbox mailCodes': 1,
    });
    const last = await valuesOf(shop, 'job_last_success_timestamp_seconds');
    expect(last['job_name=renew-due']).toBe(shop.clock.now / 1000);
    expect(Object.keys(last).toSorted()).toEqual(Object.keys(runs).toSorted());
  });

  it('counts renewals apart from purchases', async () => {
    await aRenewing(shop);
    await advanceDays(shop, 30);
    const attempts = await valuesOf(shop, 'payment_attempts_total');
    const labels = 'brand=lumen method=card gateway=sandbox';
    expect(attempts[`${labels} kind=renewal outcome=paid`]).toBe(1);
    expect(attempts[`${labels} kind=purchase outcome=paid`]).toBeGreaterThan(0);
    await clearRenewals(shop);
  });

  it('counts a payment that waits once, however often its provider is asked', async () => {
    await (await shop.buyer()).pay(byPix);
    const owed = await aTransfer(shop);
    const pending = async () =>
      Object.entries(await valuesOf(shop, 'payment_attempts_total')).filter(([labels]) => /pix|paynow/.test(labels));
    const once = await pending();
    expect(once).toEqual([
      ['brand=lumen method=pix gateway=sandbox kind=purchase outcome=pending', 1],
      ['brand=mego method=paynow gateway=transfer kind=purchase outcome=pending', 1],
    ]);
    for (let round = 0; round < 3; round += 1) {
      shop.clock.advance(defaultReconcileAfterMs);
      expect(await reconcile(shop.deps)).toBeGreaterThan(0);
    }
    await owed.prove();
    expect(await pending()).toEqual(once);
  });

  it('has the age of the oldest webhook, without those for an address that the brand no longer has', async () => {
    const lumen = eq(brands.code, 'lumen');
    const useAddress = async (url: string) => {
      await shop.db
        .update(brands)
        .set({ webhooks: [{ url }] })
        .where(lumen);
      await shop.deps.catalog.refresh();
    };
    await useAddress('http://erp:8080/before');
    await (await shop.buyer()).pay();
    shop.clock.advance(90_000);
    expect(await valuesOf(shop, 'webhooks_oldest_seconds')).toEqual({ 'brand=lumen': 90 });
    await useAddress('http://erp:8080/now');
    expect(await valuesOf(shop, 'webhooks_oldest_seconds')).toEqual({ 'brand=lumen': 0 });
  });
});
