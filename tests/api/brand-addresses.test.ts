import { eq } from 'drizzle-orm';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { readYaml } from '#server/brand/folder/read-yaml.ts';
import { rowsOf } from '#server/brand/folder/rows.ts';
import { brandFileSchema } from '#server/brand/folder/schema.ts';
import { rulesForBrowsers } from '#server/brand/phone-rules.ts';
import { brands } from '#server/db/schema/brands.ts';
import { newBrandYaml } from '#server/operator/brand-template.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { identityOf } from '#server/site/account-rules.ts';
import { isEmail, isKnownEmail } from '#web/platform/form/account-rules.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { acceptedEmails } from '#tests/fixtures/email-addresses.ts';
import { throwRefusal } from '#server/runtime/request/api-error.ts';

const template = newBrandYaml(
  {
    code: 'acme',
    name: 'Acme TV',
    host: 'acme.example',
    colour: '#1F6FEB',
    languages: ['en'],
    currency: 'USD',
    price: 4.99,
  },
  demoBrand('lumen'),
);
const fileOf = (yaml: string) => v.safeParse(brandFileSchema, readYaml('brand.yaml', Buffer.from(yaml)).value);

describe('a brand that `brand new` has written', () => {
  const file = fileOf(template);
  if (!file.success) throw new Error('the template is broken');
  const rest = { ...demoBrand('lumen').brand, hosts: [], plans: [], retiredPlans: [], methods: [], banners: [] };
  const { config } = rowsOf(file.output, { wordings: [], documents: [] }).brand;

  it.each(acceptedEmails)('accepts %s in the browser and on the server', (email) => {
    const sent = rulesForBrowsers(config.validRules);
    expect([isEmail(sent, email), isKnownEmail(sent, email)]).toEqual([true, true]);
    expect(() =>
      identityOf(
        throwRefusal,
        { ...rest, config, documents: new Map(), wordings: {} },
        { account: email, type: 'email' },
      ),
    ).not.toThrow();
  });
});

it('a brand that an earlier version stored with its own rule for addresses accepts all of them', async () => {
  const own = await testApp();
  const validRules = { email: String.raw`^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]{2,})+$`, phone: '^\\d{8}$' };
  const config = { ...demoBrand('lumen').brand.config, validRules };
  await own.db.update(brands).set({ config }).where(eq(brands.code, 'lumen'));
  await own.deps.catalog.refresh();
  expect((await own.request(endpoints.siteConfig, {})).data.validRules).toEqual({ phone: '^\\d{8}$' });
  for (const account of acceptedEmails) {
    const body = { account, type: 'email' as const, password: 'secret-123' };
    expect((await own.request(endpoints.login, { body })).errCode, account).not.toBe(8);
  }
  await own.close();
});

describe('the addresses of a brand’s own staff', () => {
  const withContact = (email: string) => template.replace(/^ {2}email: .*$/m, `  email: ${JSON.stringify(email)}`);
  const withAlerts = (email: string) =>
    template.replace(/^# alerts: .*$/m, `alerts: { email: ${JSON.stringify(email)} }`);

  it.each(acceptedEmails.filter((email) => email.length < 60))('can be %s', (email) => {
    expect([fileOf(withContact(email)).success, fileOf(withAlerts(email)).success]).toEqual([true, true]);
  });

  it.each(['a..b@x.com', 'a@b', 'é@x.com', 'anything'])('cannot be %s', (email) => {
    expect([fileOf(withContact(email)).success, fileOf(withAlerts(email)).success]).toEqual([false, false]);
  });
});
