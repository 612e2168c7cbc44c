import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageHtml } from '#contract/page.ts';
import { composeDocument } from '#server/http/pages/document.ts';
import { mountPageRoutes } from '#server/http/pages/page-routes.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
  // in place of the storefront: an old link leads on with its query, as there
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

  it('cannot end the script that holds it, open another one, or become a comment', () => {
    expect(html.match(/<script/g)).toHaveLength(4);
    expect(html.match(/<\/script>/g)).toHaveLength(4);
    expect(html).not.toContain('<!--');
    expect(html).not.toContain('\u2028');
  });

  it('is read back as it was', () => {
    const [, json = ''] = /id="page-state">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(json)).toEqual({ name: hostile, [hostile]: 1, rendered: true, messages });
  });
});

describe('an address that leads on', () => {
  it.each(['%0d%0aSet-Cookie:%20a=b', '%0aX-Injected:%201', '%E5%98%8A%E5%98%8DSet-Cookie:x'])(
    'adds no header to its answer: %s',
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
