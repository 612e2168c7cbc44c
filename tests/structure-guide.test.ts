import { demoBrand } from '#sandbox/demo-brands.ts';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { contradictions } from '#server/brand/folder/contradictions.ts';
import { readYaml } from '#server/brand/folder/read-yaml.ts';
import { brandFileSchema } from '#server/brand/folder/schema.ts';
import { newBrandYaml } from '#server/operator/brand-template.ts';
import { isAcceptedByStripe } from '#server/payments/stripe/currencies.ts';
import { isAcceptedByTransfer } from '#server/payments/transfer/gateway.ts';
import { files, paymentProviders } from '#tests/fixtures/architecture.ts';
import { brandFilePage, brandFileSettings } from '#tests/fixtures/brand-file-page.ts';
import { configurationPage, readSections } from '#tests/fixtures/configuration-page.ts';
import { root } from '#tests/fixtures/source-tree.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('The operator guide', () => {
  it('has one page for each topic', () => {
    const pages = files.filter((path) => path.startsWith('src/server/docs/')).map((path) => posix.basename(path));
    expect(pages.sort()).toEqual(
      `backup-and-restore.md brand-file.md configuration.md high-availability.md monitoring.md operator-commands.md
       payment-providers.md production-one-machine.md quick-start.md security.md several-machines.md sign-on-and-tv.md support-tasks.md
       upgrade-and-rollback.md webhooks.md your-own-backend.md your-own-brand.md`.split(/\s+/),
    );
  });

  it('has a configuration reference that is generated from env.ts', async () => {
    await expect(configurationPage()).toMatchFileSnapshot('../src/server/docs/configuration.md');
  });

  it('has a reference of brand.yaml that is generated from its schema', async () => {
    await expect(brandFilePage()).toMatchFileSnapshot('../src/server/docs/brand-file.md');
  });

  it('explains every setting of brand.yaml', () => {
    const settings = brandFileSettings();
    expect(settings.filter(({ text }) => text === '').map(({ path }) => path)).toEqual([]);
    expect(settings.length).toBeGreaterThan(90);
  });

  it('explains every setting', () => {
    const unexplained = readSections().flatMap(({ settings }) => settings.filter(({ text }) => text === ''));
    expect(unexplained.map(({ name }) => name)).toEqual([]);
    expect(readSections().flatMap(({ settings }) => settings).length).toBeGreaterThan(60);
  });

  it('shows a complete brand.yaml entry for each payment provider', () => {
    const page = read('src/server/docs/payment-providers.md');
    const entries = [...page.matchAll(/^```yaml\n(methods:\n.*?)^```$/gms)].map(([, yaml = '']) => yaml);
    const methods = entries.flatMap((yaml) => {
      const { value, problems } = readYaml('brand.yaml', Buffer.from(yaml));
      expect(problems).toEqual([]);
      return v.parse(v.strictObject({ methods: brandFileSchema.entries.methods }), value).methods;
    });
    const gateways = new Set(methods.map(({ gateway }) => gateway));
    expect([...gateways].sort()).toEqual([...paymentProviders]);
    const letters = (path: string) =>
      read(path)
        .replaceAll(/[^A-Za-z]/g, '')
        .toLowerCase();
    for (const path of ['README.md', 'src/server/payments/README.md'])
      expect(
        paymentProviders.filter((name) => !letters(path).includes(name)),
        path,
      ).toEqual([]);
    expect(methods.flatMap((method) => contradictionsOf(method))).toEqual([]);
    const refused = methods.filter(({ gateway, code, currencies }) =>
      currencies.some(
        (currency) =>
          (gateway === 'stripe' && !isAcceptedByStripe(code, currency)) ||
          (gateway === 'transfer' && !isAcceptedByTransfer(code, currency)),
      ),
    );
    expect(refused.map(({ code }) => code)).toEqual([]);
  });
});

/** What `brand check` would report for a brand that sells by this method alone, in its currencies. */
function contradictionsOf(method: v.InferOutput<typeof brandFileSchema>['methods'][number]): string[] {
  const [currency = 'USD'] = method.currencies;
  const acme = { code: 'acme', name: 'Acme', host: 'acme.example', colour: '#6D3BEB' };
  const yaml = newBrandYaml({ ...acme, languages: ['en'], currency, price: 5 }, demoBrand('lumen'));
  const file = v.parse(brandFileSchema, readYaml('brand.yaml', Buffer.from(yaml)).value);
  const found = contradictions({ ...file, currencies: method.currencies, methods: [method] });
  return found.filter(({ path }) => path[0] === 'methods').map(({ message }) => `${method.code}: ${message}`);
}
