import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageHtml } from '#contract/page.ts';
import { composeDocument } from '#server/http/pages/document.ts';
import { mountPageRoutes } from '#server/http/pages/page-routes.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
  // replaces the storefront: like there, an old link redirects with its query
  mountPageRoutes(shop.app, shop.deps, async ({ url }) => ({ redirect: url.replace('/order', '/orders') }));
});
afterAll(() => shop.close());

const hostile = '</script><script>alert(1)</script><!--\u2028\u2029"\'&';

describe('the data of a page', () => {
  const messages = { 'page.tooOld': hostile.replaceAll('\u2028', '') };
  const page = {
    status: 200,
    lang: 'en',
    screen: 'NEAR',
    head: '',
    body: '',
    style: '',
    script: 'early()',
    state: { name: hostile, [hostile]: 1, rendered: true, messages },
    modules: [],
  } as unknown as PageHtml;
  const files = { entry: '/e.js', preloads: [], sheets: [], css: '' };
  const { html } = composeDocument(page, files, { address: 'http://localhost' });

  it('cannot end its script element, start another one, or start a comment', () => {
    expect(html.match(/<script/g)).toHaveLength(4);
    expect(html.match(/<\/script>/g)).toHaveLength(4);
    expect(html).not.toContain('<!--');
    expect(html).not.toContain('\u2028');
  });

  it('is parsed unchanged', () => {
    const [, json = ''] = /id="page-state">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(json)).toEqual({ name: hostile, [hostile]: 1, rendered: true, messages });
  });
});

describe('a redirect', () => {
  it.each(['%0d%0aSet-Cookie:%20a=b', '%0aX-Injected:%201', '%E5%98%8A%E5%98%8DSet-Cookie:x'])(
    'adds no header to its response: %s',
    async (text) => {
      const { headers } = await shop.app.request(`http://localhost/order?planId=${text}`, {
        headers: { Host: 'localhost' },
        redirect: 'manual',
      });
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-injected')).toBeNull();
      expect(headers.get('location')).toMatch(/^\/orders\?planId=%/);
    },
  );
});
