import { expect, test } from 'vitest';
import type { SavedState } from '#contract/worker-messages.ts';
import { styleKeyOf, shellWith } from './shell-with.ts';

const brand = (name: string): SavedState => ({
  theme: { name, themeColor: '#E11D48', tenantId: 'one' },
  siteConfig: {
    validRules: {},
    defaultLang: 'en',
    upgradePolicy: false,
    subscribeEmail: false,
    login: { codeLogin: true, emailSuffix: [], signupCode: false, dpop: false },
    payment: { defaultInstallment: 1, defaultCurrency: 'BRL', renewal: 'asked' },
    langs: ['en'],
  },
  functionConfig: { imgConfig: {}, webConfig: { brand: name, defaultLang: 'en' } },
  messages: {},
  countryCode: 'BR',
  language: 'en',
});

const shell = '<!doctype html><html><body><div id="root"></div></body></html>';
const read = (html: string) => /id="kept-state">(.*?)<\/script>/s.exec(html)?.[1] ?? '';

test('the shell contains the latest brand data, with any name', () => {
  for (const name of ['Plain', '</script><script>alert(1)</script>', "$& $' $$", '<!--<script>']) {
    const html = shellWith(shell, brand(name));
    expect(JSON.parse(read(html))).toEqual({ ...brand(name), rendered: false });
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.endsWith('</script></body></html>')).toBe(true);
  }
});

test("styles change with name, color and logo, not with the visitor's country", () => {
  expect(styleKeyOf(brand('A'))).not.toBe(styleKeyOf(brand('B')));
  expect(styleKeyOf({ ...brand('A'), countryCode: 'PT', messages: { a: 'b' } })).toBe(styleKeyOf(brand('A')));
  const logo = { imgConfig: { logo: '/brand/new.svg' }, webConfig: brand('A').functionConfig.webConfig };
  expect(styleKeyOf({ ...brand('A'), functionConfig: logo })).not.toBe(styleKeyOf(brand('A')));
});
