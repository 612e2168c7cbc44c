import type { APIResponse, Page } from '@playwright/test';
import * as v from 'valibot';
import { languages } from '#contract/fields.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// What search engines, link previews and password managers request. None of them runs scripts.
test.use({ javaScriptEnabled: false });

const brands = ['lumen', 'mego', 'baobab'] as const;

const dataSchema = v.object({
  '@graph': v.array(
    v.looseObject({
      '@type': v.string(),
      name: v.string(),
      url: v.string(),
      offers: v.optional(v.object({ price: v.string(), priceCurrency: v.string() })),
    }),
  ),
});

/** A request of a program whose language is not the brand's default. Node.js does not resolve `*.localhost`. */
function requestAt(page: Page, url: string): Promise<APIResponse> {
  const { host, port, pathname, search } = new URL(url);
  const headers = { host, 'accept-language': 'en, ru;q=0.5' };
  return page.request.get(`http://127.0.0.1:${port}${pathname}${search}`, { headers, maxRedirects: 0 });
}

const textAt = async (page: Page, url: string): Promise<string> => (await requestAt(page, url)).text();

/** The values of an attribute of every tag that a pattern finds. */
const valuesOf = (html: string, tag: RegExp, attribute: string) =>
  [...html.matchAll(tag)].map(([found]) => new RegExp(`${attribute}="([^"]*)"`).exec(found)?.[1] ?? '');

const contentOf = (html: string, name: string) =>
  valuesOf(html, new RegExp(`<meta [a-z]+="${name}"[^>]*>`, 'g'), 'content')[0];

test('every listed page declares itself as canonical, lists the others, and has a preview @slow', async ({
  page,
  server,
}) => {
  for (const brand of brands) {
    const origin = server.brandOrigin(brand);
    const rules = await textAt(page, `${origin}/robots.txt`);
    expect(rules).toContain('Disallow: /orders\n');
    const map = /^Sitemap: (.*)$/m.exec(rules)?.[1] ?? '';
    const listed = await textAt(page, map);
    const urls = valuesOf(listed.replaceAll(/<loc>(.*?)<\/loc>/g, '<loc url="$1">'), /<loc [^>]*>/g, 'url');
    expect(urls.length).toBeGreaterThan(8);
    const titles = new Set<string>();
    for (const url of urls) {
      const html = await textAt(page, url);
      expect(valuesOf(html, /<link rel="canonical"[^>]*>/g, 'href')).toEqual([url]);
      expect(contentOf(html, 'og:url')).toBe(url);
      const alternates = valuesOf(html, /<link rel="alternate"[^>]*>/g, 'href');
      expect(alternates).toContain(url);
      expect(urls).toEqual(expect.arrayContaining(alternates));
      for (const name of ['og:title', 'og:description', 'og:site_name', 'og:locale', 'twitter:card'])
        expect(contentOf(html, name), `${name} of ${url}`).toMatch(/\S/);
      if (!url.includes('?')) titles.add(contentOf(html, 'og:title') ?? '');
      const picture = await requestAt(page, contentOf(html, 'og:image') ?? '');
      expect(picture.headers()['content-type']).toBe('image/png');
    }
    expect(titles.size).toBe(urls.filter((url) => !url.includes('?')).length);
  }
});

test('the home page describes the shop and the plans name their prices, as structured data', async ({
  page,
  server,
}) => {
  const origin = server.brandOrigin('mego');
  const read = async (path: string) => {
    await page.goto(origin + path);
    const text = await page.locator('script[type="application/ld+json"]').textContent();
    return v.parse(dataSchema, JSON.parse(text ?? ''))['@graph'];
  };
  expect((await read('/')).map((node) => [node['@type'], node.name])).toEqual([
    ['Organization', 'Mego'],
    ['WebSite', 'Mego'],
  ]);
  const plans = await read('/pricing-table');
  expect(plans.length).toBeGreaterThan(2);
  for (const plan of plans) {
    const [alone] = await read(new URL(plan.url).pathname);
    expect(alone).toEqual(plan);
    await expect(page.getByRole('main')).toContainText(plan.offers?.price ?? 'no price');
  }
  await page.goto(`${origin}/help`);
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(0);
});

test('files that programs request by a fixed name exist, or are missing with status 404', async ({ page, server }) => {
  const origin = server.brandOrigin('mego');
  const icon = await requestAt(page, `${origin}/favicon.ico`);
  expect(icon.status()).toBe(302);
  const picture = await requestAt(page, origin + (icon.headers()['location'] ?? ''));
  expect(picture.headers()['content-type']).toBe('image/png');
  const password = await requestAt(page, `${origin}/.well-known/change-password`);
  expect([password.status(), password.headers()['location']]).toEqual([302, '/settings']);
  // the specification of change-password tests whether the site knows what is missing
  const missing = ['resource-that-should-not-exist-whose-status-code-should-not-be-200', 'apple-app-site-association'];
  for (const name of missing) {
    const answer = await requestAt(page, `${origin}/.well-known/${name}`);
    expect(answer.status()).toBe(404);
  }
});

test('a page with a private address has no preview of its own and is not listed', async ({ page, server }) => {
  for (const language of languages) {
    const html = await textAt(page, `${server.brandOrigin('mego')}/orders?language=${language}`);
    expect(contentOf(html, 'robots')).toBe('noindex');
    expect(html).not.toContain('rel="canonical"');
  }
});
