import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { sql } from 'drizzle-orm';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOperatorCommand } from '#server/operator/operator.ts';
import type { Finding } from '#server/operator/doctor/finding.ts';
import { checkSettings } from '#server/operator/doctor/check-settings.ts';
import { runChecks } from '#server/operator/doctor/doctor.ts';
import { runOperator } from '#tests/fixtures/operator.ts';
import { inDatabase, startPostgres } from '#tests/fixtures/postgres.ts';
import { productionEnv } from '#tests/fixtures/server-process.ts';
import { aDoctorShop, tls, type DoctorShop } from '#tests/builders/a-doctor-shop.ts';

let shop: DoctorShop;
let env: Record<string, string>;
const done: (() => unknown)[] = [];
beforeAll(async () => {
  shop = await aDoctorShop();
  ({ env } = shop);
  done.push(shop.close);
}, 120_000);
afterAll(async () => {
  for (const clear of done.toReversed()) await clear();
});

const finding = v.strictObject({ state: v.picklist(['ok', 'note', 'wrong']), what: v.string(), says: v.string() });

const doctor = (...args: string[]) =>
  runOperator(['doctor', '--clock', shop.clockOf, ...args], { NODE_EXTRA_CA_CERTS: tls('ca.pem'), ...env });

const diagnose = async (
  changes: Record<string, string> = {},
  options: { clock?: () => number; clockOf?: string } = {},
) => runChecks({ ...env, ...changes }, { clock: Date.now, clockOf: shop.clockOf, ...options });

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const secrets = () => [
  'a-password-of-mail',
  env['PAYPAL_CLIENT_SECRET'] ?? '',
  productionEnv.SIGNING_SECRET,
  productionEnv.METRICS_TOKEN,
  ':shop@',
];
const expectNoSecrets = (text: string) => {
  for (const secret of secrets()) expect(text).not.toContain(secret);
};

describe('the doctor', { timeout: 60_000 }, () => {
  it('finds no error in a healthy shop, and lists what it does not offer', async () => {
    const { code, out, err } = await doctor('--json');
    const lines = out.trim().split('\n');
    const found = lines.map((line) => v.parse(finding, JSON.parse(line)));
    expect(found.filter(({ state }) => state === 'wrong')).toEqual([]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const reported = Object.fromEntries(
      found.filter(({ state }) => state === 'ok').map(({ what, says }) => [what, says]),
    );
    expect(reported).toMatchObject({
      settings: 'all settings of a production shop are present',
      database: like(/^PostgreSQL \d+/),
      migrations: 'all have run',
      brands: `acme at ${env['PUBLIC_ORIGIN']}`,
      mail: '127.0.0.1 accepts the login',
      'gateway paypal': 'PayPal knows this client, and sends notices to https://localhost/webhooks/paypal',
      'certificate of localhost': like(/^is good until 21/),
      'host localhost': 'answers with the brand acme',
      'webhook paypal': `${env['PUBLIC_ORIGIN']}/webhooks/paypal reaches the shop`,
      'proxy of localhost': 'is in TRUST_PROXY, and passes on address and scheme',
      'time limits': 'a statement, a lock and an idle transaction end in time',
      'clock of database': like(/^is 0 s/),
      clock: like(/^is 0 s/),
    });
    const notes = found.filter(({ state }) => state === 'note').map(({ what, says }) => `${what}: ${says}`);
    expect(notes.join('\n')).toMatch(/sms: no SMS can be sent/);
    expect(notes.join('\n')).toMatch(/google: is not offered/);
    expect(notes.join('\n')).toMatch(
      /methods of acme: not offered, because their gateway is not configured: card \(useepay\)/,
    );
    expect(notes.join('\n')).toMatch(/settings: PAYPAL_ENVIRONMENT is sandbox/);
    expectNoSecrets(out);
  });

  it('reports each missing, invalid or simulated setting once, and still checks the rest', async () => {
    const found = await diagnose({ SANDBOX: 'true', METRICS_TOKEN: 'short', SIGNING_SECRET: '', MAIL_FROM: '' });
    const settings = found.filter(({ what }) => what === 'settings').map(({ state, says }) => `${state} ${says}`);
    expect(settings).toEqual([
      'wrong METRICS_TOKEN: must have 16 characters or more',
      like(/^wrong SANDBOX: is on, so payments and logins are simulated/),
      like(/^wrong SIGNING_SECRET: set it to 32 or more random bytes/),
      like(/^wrong MAIL_FROM: set it to an address of yours/),
      like(/^note PAYPAL_ENVIRONMENT/),
    ]);
    expect(found).toContainEqual({ state: 'ok', what: 'mail', says: '127.0.0.1 accepts the login' });
  });

  it.each([
    ['postgres://shop@db.example/shop', 'smtp://mail.example:25', ['DATABASE_URL', 'SMTP_URL']],
    ['postgres://shop@db.example/shop?sslmode=disable', 'smtp://mail.example?requireTLS=true', ['DATABASE_URL']],
    ['postgres://shop@db.example/shop?sslmode=require', 'smtps://mail.example', []],
    ['postgres://shop@db.example/shop?sslmode=verify-full', 'smtp://a:b@mail.example', []],
    ['postgres://shop@127.0.0.1/shop', 'smtp://localhost:25', []],
    ['postgres://shop@/shop?host=/var/run/postgresql', 'smtp://[::1]:25', []],
  ])('reports which connections may be unencrypted: %s and %s', (DATABASE_URL, SMTP_URL, names) => {
    const { findings } = checkSettings({ ...productionEnv, DATABASE_URL, SMTP_URL });
    const settings = findings.filter(({ says }) => /encrypted/.test(says)).map(({ says }) => says.split(':')[0]);
    expect(settings).toEqual(names);
  });

  it('reports refusals and failures of mail, PayPal and its webhook without secrets', async () => {
    shop.mailServer.close(true);
    const refused = await diagnose({ PAYPAL_CLIENT_SECRET: 'another-secret-of-paypal' });
    shop.mailServer.close(false);
    const unknown = await diagnose({ PAYPAL_WEBHOOK_ID: 'ANOTHER1' });
    const offline = await diagnose({
      SMTP_URL: 'smtp://shop:a-password-of-mail@127.0.0.1:1',
      PAYPAL_ORIGIN: 'http://127.0.0.1:1',
    });
    const findingOf = (found: Finding[], what: string) => found.find((one) => one.what === what);
    expect(findingOf(refused, 'mail')).toMatchObject({
      state: 'wrong',
      says: like(/SMTP_URL: 127\.0\.0\.1/),
    });
    expect(findingOf(refused, 'gateway paypal')?.says).toContain('rejects PAYPAL_CLIENT_ID');
    expect(findingOf(unknown, 'gateway paypal')?.says).toContain('has no webhook PAYPAL_WEBHOOK_ID');
    expect(findingOf(offline, 'mail')?.says).toContain('does not listen');
    expect(findingOf(offline, 'gateway paypal')).toMatchObject({ state: 'wrong', says: 'PayPal does not answer' });
    expectNoSecrets(JSON.stringify([refused, unknown, offline]));
    expect(JSON.stringify(refused)).not.toContain('another-secret');
  });

  it('checks hosts as browsers do: an untrusted or expired certificate, no HTTPS, no listener', async () => {
    // This process does not trust the CA of the certificate.
    const untrusted = await diagnose();
    expect(untrusted).toContainEqual({
      state: 'wrong',
      what: 'certificate of localhost',
      says: like(/shows a certificate that is not believed/),
    });
    expect(untrusted).toContainEqual({
      state: 'wrong',
      what: 'host localhost',
      says: like(/shows a certificate that is not believed/),
    });
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, readFileSync(tls('ca.pem'), 'utf8')]);
    done.push(() => setDefaultCACertificates(usual));
    const century = 101 * 365 * 24 * 60 * 60_000;
    const later = await diagnose({}, { clock: () => Date.now() + century });
    expect(later.find(({ what }) => what === 'certificate of localhost')?.says).toContain('has expired');
    expect(later.find(({ what }) => what === 'clock')).toMatchObject({ state: 'wrong' });
    const plain = await diagnose({ PUBLIC_ORIGIN: shop.clockOf, TRUST_PROXY: '' });
    expect(plain).toContainEqual({ state: 'wrong', what: 'host localhost', says: `${shop.clockOf} is not https` });
    expect(plain.find(({ what }) => what === 'brands')?.says).toContain('PUBLIC_ORIGIN: the brand acme is at http:');
    const unreachable = await diagnose({
      PUBLIC_ORIGIN: `https://localhost:${shop.closedPort}`,
      EXTRA_HOSTS: 'no-such-host.invalid',
    });
    const hosts = unreachable.filter(({ what }) => what.startsWith('host ')).map(({ says }) => says);
    expect(hosts).toEqual([
      `https://localhost:${shop.closedPort} is not listening`,
      like(/is not in the DNS|does not answer/),
    ]);
  });

  it('reports a DEFAULT_BRAND that does not exist, and which addresses have no shop then', async () => {
    const ofBrands = async (changes: Record<string, string>) =>
      (await diagnose(changes)).filter(({ what }) => what === 'brands').map(({ state, says }) => `${state} ${says}`);
    const { PUBLIC_ORIGIN = '' } = env;
    expect(await ofBrands({ DEFAULT_BRAND: 'acne', EXTRA_HOSTS: 'tv.acme.test' })).toContain(
      'wrong DEFAULT_BRAND: there is no brand acne, so customers find no shop at ' +
        `${PUBLIC_ORIGIN}, tv.acme.test; set it to one of: acme`,
    );
    expect(await ofBrands({ DEFAULT_BRAND: 'acne', PUBLIC_ORIGIN: '' })).toContain(
      'note DEFAULT_BRAND: there is no brand acne; set it to one of: acme, or remove it',
    );
    expect((await ofBrands({ DEFAULT_BRAND: '', PUBLIC_ORIGIN: '' })).join()).not.toContain('DEFAULT_BRAND');
  });

  it('lists each method whose gateway does not work, and what that means', async () => {
    const found = await diagnose({ PAYPAL_ORIGIN: 'http://127.0.0.1:1' });
    const methods = found.filter(({ what, state }) => what === 'methods of acme' && state === 'wrong');
    const broken = methods.map(({ says }) => says).filter((says) => says.includes('is offered, but'));
    expect(broken).toEqual([
      like(/^paypal \(paypal\) is offered, but its gateway does not work \(see gateway paypal\), so customers/),
    ]);
    const working = found.find(({ what, state }) => what === 'methods of acme' && state === 'ok');
    expect(working?.says ?? '').not.toContain('paypal');
  });

  it('warns of a certificate three weeks before its end', async () => {
    const day = 24 * 60 * 60_000;
    const end = Date.parse(new X509Certificate(readFileSync(tls('localhost.pem'))).validTo);
    const at = async (now: number) => {
      const found = await diagnose({}, { clock: () => now });
      const certificate = found.find(({ what }) => what === 'certificate of localhost');
      return `${certificate?.state} ${certificate?.says}`;
    };
    expect(await at(end - 22 * day)).toMatch(/^ok is good until/);
    expect(await at(end - 20.5 * day)).toMatch(
      /^note is good until 2126-10-29 only, 20 days, and has not been renewed/,
    );
    expect(await at(end + day)).toMatch(/^wrong has expired.*browsers refuse the shop$/);
  });

  it('reports the state of the database without changing it', { tags: 'slow' }, async () => {
    const about = (found: Finding[]) =>
      found
        .filter(({ what }) => /^(database|migrations|brands)$/.test(what))
        .map(({ state, says }) => `${state} ${says}`);
    const { url: empty, stop } = await startPostgres();
    done.push(stop);
    const waiting = [like(/^ok PostgreSQL/), like(/^note \d+ are pending; the next start runs them$/)];
    expect(about(await diagnose({ DATABASE_URL: empty }))).toEqual(waiting);
    expect(about(await diagnose({ DATABASE_URL: empty }))).toEqual(waiting);
    const wrongPassword = env['DATABASE_URL']?.replace(':shop@', ':a-guess@') ?? '';
    expect(about(await diagnose({ DATABASE_URL: wrongPassword }))).toEqual([
      like(/^wrong DATABASE_URL: PostgreSQL refuses the password/),
    ]);
    expect(about(await diagnose({ DATABASE_URL: '' }))).toEqual([]);
    await inDatabase(empty, (db) =>
      db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`),
    );
    expect(about(await diagnose({ DATABASE_URL: empty }))).toEqual([
      like(/^ok PostgreSQL/),
      like(/^wrong a newer version of the shop has been here: 1 of/),
      like(/^wrong brand: the database has no brand/),
    ]);
  });

  it('exits with 1 and one line for each error, and with 2 for an invalid option', async () => {
    const before = env;
    env = { ...env, METRICS_TOKEN: '', PUBLIC_ORIGIN: `https://localhost:${shop.closedPort}` };
    const { code, out, err } = await doctor();
    env = before;
    expect(code).toBe(1);
    expect(err.trim()).toBe('3 checks failed.');
    expect(out).toMatch(/^wrong {2}settings {14}METRICS_TOKEN: set it to/m);
    expect(out).toMatch(/^ok {5}migrations {12}all have run/m);
    const exitCode = await runOperatorCommand(
      ['doctor', '--clock', 'noon'],
      {},
      { clock: Date.now, print: () => {}, explain: () => {} },
    );
    expect(exitCode).toBe(2);
  });
});
