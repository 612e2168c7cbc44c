import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { smtpMailer } from '#server/messages/mailer.ts';
import { offersToken, sendOffers } from '#server/account/settings/offers.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { lumenOf } from '#tests/builders/access-paths.ts';
import { startMailServer, type MailServer } from '#tests/fixtures/mail-server.ts';

let shop: TestApp;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  shop = await testApp({ deps: () => ({ mailer: smtpMailer(mailServer.url) }) });
});
afterAll(async () => {
  await shop.close();
  await mailServer.stop();
});

const hasUnsubscribed = async (uid: string) =>
  (await shop.db.select().from(users).where(eq(users.uid, uid)))[0]?.unsubscribeEmail;
const tokenOf = (uid: string, brand = 'lumen') => offersToken(shop.deps.env, { brand, uid });
const unsubscribe = async (token: string, body = 'List-Unsubscribe=One-Click', host = 'localhost') =>
  shop.app.request(`http://${host}/unsubscribe?token=${token}`, {
    method: 'POST',
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
const offer = (name: string) => ({
  brand: lumenOf(shop),
  name,
  subject: 'Half a year for less',
  text: 'Until Sunday.\n\nOnly here.',
});
const offersTo = async (uid: string) => shop.db.select().from(outbox).where(eq(outbox.offersTo, uid));

describe('offers by email', () => {
  it('contain the headers for one-click unsubscribing, and a link', async () => {
    const ana = await shop.customer();
    await sendOffers(shop.deps, offer('first'));
    await sendOutbox(shop.deps);
    const mail = mailServer.mails.find((one) => one.includes('Half a year for less')) ?? '';
    const unfolded = mail.replaceAll(/\r\n[ \t]+/g, ' ');
    expect(unfolded).toContain(`List-Unsubscribe: <http://localhost:3000/unsubscribe?token=${tokenOf(ana.uid)}>`);
    expect(unfolded).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect((await unsubscribe(tokenOf(ana.uid))).status).toBe(200);
    expect(await hasUnsubscribed(ana.uid)).toBe(true);
  });

  it('are the only emails with these headers', async () => {
    const { token, uid } = await shop.customer();
    await sendOutbox(shop.deps);
    const before = mailServer.mails.length;
    await shop.request(endpoints.sendConfirmCode, { body: { language: 'en' } }, { token });
    await sendOutbox(shop.deps);
    expect(mailServer.mails.slice(before).join('')).not.toContain('List-Unsubscribe');
    expect(await hasUnsubscribed(uid)).toBe(false);
  });

  it('end with the form of RFC 8058 only, urlencoded or multipart, any number of times', async () => {
    const { uid } = await shop.customer();
    expect((await unsubscribe(tokenOf(uid), 'x=1')).status).toBe(400);
    expect(await hasUnsubscribed(uid)).toBe(false);
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const parts = { method: 'POST', headers: { host: 'localhost' }, body: form };
    const answer = await shop.app.request(`http://localhost/unsubscribe?token=${tokenOf(uid)}`, parts);
    expect([answer.status, answer.headers.get('set-cookie'), answer.headers.get('location')]).toEqual([
      200,
      null,
      null,
    ]);
    expect((await unsubscribe(tokenOf(uid))).status).toBe(200);
    expect(await hasUnsubscribed(uid)).toBe(true);
  });

  it('do not end with an invalid token, or one of another customer or brand', async () => {
    const [ana, eva] = [await shop.customer(), await shop.customer()];
    const mixed = `${ana.uid}${tokenOf(eva.uid).slice(-43)}`;
    const tries = [
      unsubscribe('x'),
      unsubscribe(mixed),
      unsubscribe(tokenOf(ana.uid, 'mego')),
      unsubscribe(tokenOf(ana.uid), undefined, 'mego.localhost'),
    ];
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await hasUnsubscribed(ana.uid)).toBe(false);
    const body = { token: mixed, subscribe: false };
    expect((await shop.request(endpoints.offersByLink, { body })).errCode).toBe(10302);
  });

  it('can be ended and resumed on the page of the link, even years later', async () => {
    const { uid } = await shop.customer();
    const token = tokenOf(uid);
    shop.clock.advance(3 * 365 * 86_400_000);
    const press = (subscribe: boolean) => shop.request(endpoints.offersByLink, { body: { token, subscribe } });
    expect((await press(false)).data).toMatchObject({ unsubscribeEmail: true });
    expect((await press(false)).data.email).not.toContain(uid);
    expect((await press(true)).data).toMatchObject({ unsubscribeEmail: false });
    expect(await hasUnsubscribed(uid)).toBe(false);
  });

  it('in the outbox are not sent after the customer has unsubscribed', async () => {
    const { uid, account } = await shop.customer();
    await sendOutbox(shop.deps);
    await sendOffers(shop.deps, offer('late'));
    await unsubscribe(tokenOf(uid));
    const before = mailServer.mails.length;
    await sendOutbox(shop.deps);
    expect(mailServer.mails.slice(before).some((mail) => mail.includes(account))).toBe(false);
    const [waiting] = await offersTo(uid);
    expect(waiting).toMatchObject({ sentAt: null, tries: 12, lastAnswer: 'unsubscribed' });
  });

  it('are sent once to subscribers with a verified address, even after an interruption', async () => {
    const all = await insertCustomers(shop.db, 'lumen', 450, shop.clock.now);
    const [no, yes, ...others] = all;
    if (!no || !yes) throw new Error('nobody');
    for (const { uid } of [yes, ...others])
      await shop.db.update(users).set({ verifiedAt: shop.clock.now }).where(eq(users.uid, uid));
    await shop.db
      .update(users)
      .set({ verifiedAt: shop.clock.now, unsubscribeEmail: true })
      .where(eq(users.uid, no.uid));
    let steps = 0;
    const interrupted = {
      ...shop.deps,
      clock: () => {
        steps += 1;
        if (steps === 250) throw new Error('the power fails');
        return shop.clock.now;
      },
    };
    await expect(sendOffers(interrupted, offer('spring'))).rejects.toThrow('the power fails');
    const queued = await sendOffers(shop.deps, offer('spring'));
    expect(await sendOffers(shop.deps, offer('spring'))).toBe(queued);
    expect(await offersTo(no.uid)).toEqual([]);
    const counts = await Promise.all(others.slice(0, 60).map(async ({ uid }) => (await offersTo(uid)).length));
    expect(new Set(counts)).toEqual(new Set([1]));
    expect(await offersTo(yes.uid)).toHaveLength(1);
  });

  it('with the name of an earlier offer and another text are refused', async () => {
    await sendOffers(shop.deps, offer('twice'));
    expect(await sendOffers(shop.deps, { ...offer('twice'), text: 'Other words' })).toBeUndefined();
  });
});
