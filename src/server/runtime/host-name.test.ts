import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalHost, canonicalOrigin } from './service-url.ts';

const label = fc.stringMatching(/^[a-z][a-z\d-]{0,10}[a-z]$/);
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

describe('canonicalHost', () => {
  it('treats every spelling of a name as the same host', () => {
    fc.assert(
      fc.property(
        name,
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('', ':80', ':'),
        (host, isUpper, isDotted, port) => {
          const spelt = `${isUpper ? host.toUpperCase() : host}${isDotted ? '.' : ''}${port}`;
          expect(canonicalHost(spelt)).toEqual({ name: host, port: '', text: host });
          expect(canonicalHost(`${spelt.replace(/:\d*$/, '')}:8443`)).toMatchObject({ name: host, port: '8443' });
        },
      ),
    );
  });

  it.each([
    ['bücher.de', 'xn--bcher-kva.de'],
    [Buffer.from('BÜCHER.de').toString('latin1'), 'xn--bcher-kva.de'],
    ['XN--BCHER-KVA.DE.', 'xn--bcher-kva.de'],
    ['магазин.рф:80', 'xn--80aairftm.xn--p1ai'],
    ['[::1]:80', '[::1]'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
    ['[::FFFF:127.0.0.1]:80', '127.0.0.1'],
    ['[2001:DB8::0]', '[2001:db8::]'],
    ['my_shop', 'my_shop'],
    [' localhost ', 'localhost'],
  ])('reads %s as %s', (written, text) => {
    expect(canonicalHost(written)?.text).toBe(text);
  });

  it('omits the default port of each scheme', () => {
    expect(canonicalHost('shop.example:443', 'https')?.text).toBe('shop.example');
    expect(canonicalHost('shop.example:80', 'https')?.text).toBe('shop.example:80');
    expect(canonicalOrigin('https://SHOP.example.:443')).toBe('https://shop.example');
    expect(canonicalOrigin('https://bücher.de:8443')).toBe('https://xn--bcher-kva.de:8443');
  });

  it.each([
    '',
    '.',
    'a..b',
    'a.b..',
    '.a',
    'a/b',
    'a?b',
    'a#b',
    'u@a',
    'a b',
    'a\\b',
    'a:99999',
    'a:b',
    '::1',
    '[::1',
    'a,b:1:2',
    '%',
  ])('returns undefined for %j', (written) => {
    expect(canonicalHost(written)).toBeUndefined();
  });
});
