import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isEmail, isPhone, loadPatterns } from './account-rules.ts';
import { boundedPattern } from './bounded-pattern.ts';

const addresses = [
  'ana@example.com',
  'a.b-c+d@mail.example.com.br',
  'no',
  'a@b',
  '@x.y',
  'a b@c.de',
  'ana@example.com\n',
];

/** Many runs on a machine that other tests share. */
const propertyTest = { timeout: 30_000 };

it('every account passes until the rules have come', () => {
  expect(isEmail({ email: '^x$' }, 'y')).toBe(true);
});

describe('the rules of a brand', () => {
  beforeAll(loadPatterns);

  it('are the built-in ones where there are none', () => {
    expect([isEmail({}, 'x'), isPhone({}, '<script>')]).toEqual([false, false]);
    expect([isEmail({}, 'ana@example.com'), isPhone({}, '11912345678')]).toEqual([true, true]);
  });

  it.each([
    '^[\\w.-]+@([\\w-]+\\.)+[a-zA-Z]{2,}$',
    '^\\w+([-+.]\\w+)*@\\w+([-.]\\w+)*\\.\\w+([-.]\\w+)*$',
    '^(?=.{6,80}$)[^\\s@]+@[^\\s@]+\\.[^\\s@]{2,}$',
    '^[A-Za-z0-9\\u4e00-\\u9fa5._%+-]+@[a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)+$',
  ])('are followed as the browser would follow them: %s', (email) => {
    for (const address of addresses) {
      expect([address, isEmail({ email }, address)]).toEqual([address, new RegExp(email).test(address)]);
    }
  });

  it('are followed for phones', () => {
    const phone = '^(\\+?55)?\\(?[1-9]{2}\\)?9?\\d{8}$';
    for (const number of ['11987654321', '+5511987654321', '(11)987654321', '1', '1198765432a']) {
      expect([number, isPhone({ phone }, number)]).toEqual([number, new RegExp(phone).test(number)]);
    }
  });

  it.each(['[', '(', 'a{2,1}', '(?<=x)a', '(a)\\1', '(?<n>a)\\k<n>', '*', '\\'])(
    'give way to the built-in one when broken or unknown: %s',
    (pattern) => {
      expect([isEmail({ email: pattern }, 'ana@example.com'), isEmail({ email: pattern }, 'ana')]).toEqual([
        true,
        false,
      ]);
      expect([isPhone({ phone: pattern }, '+5511987654321'), isPhone({ phone: pattern }, 'ana')]).toEqual([
        true,
        false,
      ]);
    },
  );

  it.each([
    '(a+)+$',
    '^(\\w+)*$',
    '^([a-z]|[a-z])*$',
    '(.*)*@',
    '^(a|aa)+$',
    '^\\w*\\w*\\w*\\w*\\w*\\w*\\w*\\w*\\w*@$',
  ])('give way to the built-in one when slow, at once: %s', (pattern) => {
    const since = performance.now();
    const answers = ['ana@example.com', 'a'.repeat(150), `${'a'.repeat(60)}!`].map((text) =>
      isEmail({ email: pattern }, text),
    );
    expect(answers).toEqual([true, false, false]);
    expect(performance.now() - since).toBeLessThan(500);
  });

  it('refuse what is longer than an account can be', () => {
    expect(isEmail({ email: '.' }, 'a'.repeat(161))).toBe(false);
    expect(isEmail({}, 'a'.repeat(161))).toBe(false);
  });
});

describe('the bounded matcher', () => {
  it('answers what RegExp answers', propertyTest, () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\w',
      '[ab]',
      '[^a]',
      '\\.',
      '^',
      '$',
      '(?:a|b)',
      '(ab)',
      '(?=a)',
      '(?!b)',
      '|',
      '\\u0061',
      '-',
    );
    const mark = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{2,}', '*?', '+?');
    const pattern = fc.array(fc.tuple(atom, mark), { maxLength: 6 }).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', '-', ' '), maxLength: 10 }),
        (source, text) => {
          const match = boundedPattern(source);
          const answer = match?.(text) ?? 'slow';
          if (answer !== 'slow') expect([source, text, answer]).toEqual([source, text, new RegExp(source).test(text)]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('never throws, whatever the pattern and the text', propertyTest, () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (source, text) => void boundedPattern(source)?.(text)),
      { numRuns: 1000 },
    );
  });
});
