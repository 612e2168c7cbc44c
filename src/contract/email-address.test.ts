import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedEmails } from '#tests/fixtures/email-addresses.ts';
import { isEmailAddress, normalizeEmail } from './email-address.ts';

const refused = [
  'a..b@x.com',
  '.a@x.com',
  'a.@x.com',
  'a@x..com',
  'a@.com',
  'a@-x.com',
  'a@x-.com',
  'a@b',
  'a@1.2.3.4',
  'a@[1.2.3.4]',
  'a@b@c.com',
  '@x.y',
  'anything',
  '<script>',
  'a@x_y.com',
  'é@x.com',
  '"a b"@x.com',
  'a,b@x.com',
  'a@x.com?cc=b@y.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.com`,
];

describe('an address', () => {
  it.each(acceptedEmails)('may be %s', (typed) => expect(isEmailAddress(normalizeEmail(typed))).toBe(true));
  it.each(refused)('cannot be %s', (typed) => expect(isEmailAddress(normalizeEmail(typed))).toBe(false));

  it.each([
    ['Name@BÜCHER.de', 'name@xn--bcher-kva.de'],
    ['name@XN--BCHER-KVA.de', 'name@xn--bcher-kva.de'],
    ['name@bu\u0308cher.de', 'name@xn--bcher-kva.de'],
    [' ana@\u200Bexample.com\uFEFF', 'ana@example.com'],
    ['ａｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ana@example.com'],
    ['ana٢٣@example.com', 'ana23@example.com'],
    ['mailto:ana@example.com', 'ana@example.com'],
    ['<ana@example.com>', 'ana@example.com'],
    ['ana@example.com.', 'ana@example.com'],
    ['o\u2019brien@example.com', "o'brien@example.com"],
  ])('typed as %j is %s', (typed, email) => expect(normalizeEmail(typed)).toBe(email));

  it('stays the same when normalized twice', () => {
    const domain = fc.constantFrom(
      'bücher.de',
      'пример.рф',
      'example.com',
      'xn--bcher-kva.de',
      'x..y',
      '例え。jp',
      '\u00AD',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), domain, (local, host) => {
        const once = normalizeEmail(`${local}@${host}`);
        expect(normalizeEmail(once)).toBe(once);
      }),
    );
  });

  it('is also accepted by an input of type email', () => {
    const html =
      /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string()), (text) => {
        const email = normalizeEmail(text);
        if (isEmailAddress(email)) expect(email).toMatch(html);
      }),
    );
  });
});
