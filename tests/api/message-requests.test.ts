import { Writable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outbox } from '#server/db/schema/outbox.ts';
import { messageRequests } from '#server/db/schema/sign-in.ts';
import { queueMessageRequest, type MessageRequest } from '#server/messages/message-requests.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const queueRequest = (request: Partial<MessageRequest> & Pick<MessageRequest, 'account'>) =>
  queueMessageRequest(
    shop.db,
    {
      brandCode: 'lumen',
      kind: 'code',
      accountType: 'email',
      language: 'en',
      scene: 'login',
      code: '4071',
      ...request,
    },
    shop.deps,
  );
const waiting = () => shop.db.select().from(messageRequests);
const written = (to: string) => shop.db.select().from(outbox).where(eq(outbox.recipient, to));

describe('a code by email', () => {
  it.each(['login', 'reset'] as const)('for %s is sent only to an address with an account', async (scene) => {
    const ana = await aMember(shop);
    await queueRequest({ account: ana.account, scene });
    await queueRequest({ account: 'nobody@example.com', scene });
    const [mail, ...more] = await mailboxOf(shop, ana.account);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ channel: 'mail', subject: '4071 is your Lumen code' });
    expect(mail?.text.split('\n')).toContain('4071');
    expect(mail?.text).toContain('10 minutes');
    expect(await mailboxOf(shop, 'nobody@example.com')).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('for a sign-up is sent to a new address; an existing customer gets a notice without a code', async () => {
    const ana = await aMember(shop);
    await queueRequest({ account: ana.account, scene: 'signup', language: 'pt' });
    await queueRequest({ account: 'new@example.com', scene: 'signup', language: 'pt' });
    const [fresh] = await mailboxOf(shop, 'new@example.com');
    expect(fresh?.subject).toBe('4071 é o seu código Lumen');
    const [known] = await mailboxOf(shop, ana.account);
    expect(known?.subject).toBe('Você já tem uma conta Lumen');
    expect(known?.text).not.toContain('4071');
    expect(known && linkOf(known).url.href).toBe('http://localhost:3000/login?la=pt');
  });

  it('is sent to the address that is bound to a phone number', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    await shop.db.execute(`update users set email = 'bound@example.com' where uid = '${ana.uid}'`);
    await queueRequest({ account: 'bound@example.com' });
    expect(await mailboxOf(shop, 'bound@example.com')).toHaveLength(1);
  });

  it('is not sent to an account of another brand', async () => {
    const ana = await aMember(shop, { brand: 'mego' });
    await queueRequest({ account: ana.account });
    expect(await mailboxOf(shop, ana.account)).toEqual([]);
    expect(await mailboxOf(shop, ana.account, 'mego.localhost')).toEqual([]);
  });
});

describe('a code by SMS', () => {
  it('begins with the brand, and its last line allows the phone to fill it in', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    await queueRequest({ account: ana.account, accountType: 'phone' });
    const [sms] = await mailboxOf(shop, ana.account);
    expect(sms).toMatchObject({ channel: 'sms', subject: '' });
    expect(sms?.text).toMatch(/^Lumen: 4071 is your code to log in\./);
    expect(sms?.text.split('\n').at(-1)).toBe('@localhost #4071');
    await sendOutbox(shop.deps);
    expect(shop.texted).toEqual([{ to: ana.account, text: sms?.text }]);
  });

  it('is not sent when the code has expired before the delivery', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    await queueRequest({ account: ana.account, accountType: 'phone' });
    await writeRequestedMessages(shop.deps);
    const broken = { ...shop.deps, sms: { send: () => Promise.reject(new Error('the mast is down')) } };
    expect(await sendOutbox(broken)).toBe(0);
    shop.clock.advance(15 * 60_000);
    expect(await sendOutbox(shop.deps)).toBe(0);
    expect(shop.texted.filter(({ to }) => to === ana.account)).toEqual([]);
  });

  it('for a sign-up with an existing number contains the link to log in instead', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    await queueRequest({ account: ana.account, accountType: 'phone', scene: 'signup', language: 'es' });
    const [sms] = await mailboxOf(shop, ana.account);
    expect(sms?.text).toBe(
      'Lumen: ya tienes una cuenta con este número. Inicia sesión aquí: http://localhost:3000/login?la=es',
    );
  });
});

describe('a requested message', () => {
  it('is neither lost nor sent twice when the server stops while it is written', async () => {
    const ana = await aMember(shop);
    await queueRequest({ account: ana.account, kind: 'reset' });
    const stopped = { ...shop.deps, random: { ...shop.deps.random, id: () => fail('the machine stopped') } };
    expect(await writeRequestedMessages(stopped)).toBe(0);
    expect(await waiting()).toHaveLength(1);
    expect(await written(ana.account)).toEqual([]);
    expect(await Promise.all([writeRequestedMessages(shop.deps), writeRequestedMessages(shop.deps)])).toContain(1);
    expect(await written(ana.account)).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('that cannot be written does not delay others, and its text is not logged', async () => {
    const [ana, bia] = [await aMember(shop), await aMember(shop)];
    await queueRequest({ account: ana.account, code: 'code-of-ana' });
    shop.clock.advance(1);
    await queueRequest({ account: bia.account, code: 'code-of-bia' });
    const lines: string[] = [];
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }),
    );
    // The id is taken, so the database refuses the first message with an error that contains its text.
    const [taken] = await shop.db.select().from(outbox).limit(1);
    const ids = [taken?.id ?? '', shop.deps.random.id()];
    const random = { ...shop.deps.random, id: () => ids.shift() ?? fail('no more ids') };
    expect(await writeRequestedMessages({ ...shop.deps, log, random })).toBe(1);
    expect(await written(bia.account)).toHaveLength(1);
    expect(lines.join()).toContain('could not be written');
    expect(lines.join()).not.toMatch(/code-of/);
    expect(await mailboxOf(shop, ana.account)).toHaveLength(1);
  });

  it('is dropped after a quarter of an hour', async () => {
    const ana = await aMember(shop);
    await queueRequest({ account: ana.account });
    shop.clock.advance(15 * 60_000);
    expect(await mailboxOf(shop, ana.account)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('to confirm an address is sent only to an unconfirmed address', async () => {
    const fresh = await aMember(shop);
    const proven = await aMember(shop, { proven: true });
    const phone = await aMember(shop, { type: 'phone' });
    await shop.db.execute(`update users set email = 'of-a-phone@example.com' where uid = '${phone.uid}'`);
    const accounts = [fresh.account, proven.account, 'of-a-phone@example.com', 'nobody@example.com'];
    for (const account of accounts) await queueRequest({ account, kind: 'confirm', language: 'ru' });
    const counts: number[] = [];
    for (const account of accounts) counts.push((await mailboxOf(shop, account)).length);
    expect(counts).toEqual([1, 0, 0, 0]);
    const [mail] = await mailboxOf(shop, fresh.account);
    expect(mail && linkOf(mail).url.href).toMatch(/^http:\/\/localhost:3000\/activate\?token=[\w-]{43}&language=ru$/);
  });
});

describe('the mailbox of the sandbox', () => {
  it('shows email and SMS of its own brand, and is not cached', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    await queueRequest({ account: ana.account, accountType: 'phone' });
    await writeRequestedMessages(shop.deps);
    const answer = await shop.app.request(`http://localhost/dev/outbox?to=${ana.account}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const html = await answer.text();
    expect(html).toContain('<h2>SMS</h2>');
    expect(html).toContain('@localhost #4071');
    expect(await (await shop.app.request('http://mego.localhost/dev/outbox')).text()).not.toContain(ana.account);
    const json = await shop.app.request(`http://localhost/dev/outbox.json?to=${ana.account}`);
    expect(json.headers.get('cache-control')).toBe('no-store');
  });

  it.each([{ SMTP_URL: 'smtp://127.0.0.1:1', SANDBOX: 'true' }, { SANDBOX: 'false' }])(
    'does not exist with %o',
    async (env) => {
      const real = await testApp({ env, db: shop.db });
      for (const path of ['/dev/outbox', '/dev/outbox.json?to=x']) {
        expect((await real.app.request(`http://localhost${path}`)).status).toBe(404);
      }
    },
  );
});

function fail(reason: string): never {
  throw new Error(reason);
}
