import type { SeededRandom } from '../seeded-random.ts';

const repeat = (letter: string, length: number) => letter.repeat(length);

/** Texts that are known to break programs. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uD800',
  'x\uDFFF',
  '\uDC00\uD800',
  '\uFEFF',
  '\u202Eabc',
  '😀',
  `${repeat('a', 39)}😀`,
  `${repeat('a', 59)}😀`,
  `${repeat('a', 79)}😀`,
  `${repeat('a', 159)}😀`,
  repeat('a', 33),
  repeat('a', 400),
  repeat('9', 400),
  repeat('я', 5000),
  repeat('\\', 3000),
  repeat('(', 3000),
  repeat(' ', 20_000),
  repeat('a@', 5000),
  `${repeat('a', 100)}@${repeat('b.', 40)}example`,
  'e\u0301',
  'İ',
  'ß',
  'ﬀ',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e999',
  '1e-7',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  "' or 1=1 --",
  '"; drop table users; --',
  '$1',
  '%',
  '%00',
  '%s%n',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '..\\..\\windows',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  '\r\nSet-Cookie: a=b',
  'a\nb',
  '\u2028',
  '2026-02-30',
  '0000-00-00',
  '13/99',
  '00/00',
];

const hostileJson: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e-7,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  { length: 1e9 },
  { toString: 1, valueOf: 2 },
  JSON.parse('{"then":{}}'),
  ['a', 'b'],
  [{}, {}, {}],
];

export function hostileValue(chance: SeededRandom): unknown {
  return chance.is(0.6) ? chance.pick(hostileTexts) : chance.pick(hostileJson);
}

const unusualNames = [
  '__proto__',
  'constructor',
  'prototype',
  'extra',
  '',
  '\u0000',
  '\uD800',
  repeat('n', 300),
  '0',
  'uid',
  'brand',
];

/** The same value with one random error. */
export function corruptValue(value: unknown, chance: SeededRandom): unknown {
  if (Array.isArray(value)) return corruptList(value, chance);
  if (value === null || typeof value !== 'object') return corruptPrimitive(value, chance);
  // `Object.fromEntries` below defines `__proto__` as an ordinary property
  const entries: [string, unknown][] = Object.entries(value);
  const at = Math.floor(chance.next() * entries.length);
  const change = chance.next();
  if (entries.length === 0 || change < 0.1) entries.push([chance.pick(unusualNames), hostileValue(chance)]);
  else if (change < 0.2) entries.splice(at, 1);
  else
    entries[at] = [
      entries[at]?.[0] ?? '',
      chance.is(0.7) ? corruptValue(entries[at]?.[1], chance) : hostileValue(chance),
    ];
  return Object.fromEntries(entries);
}

function corruptList(list: readonly unknown[], chance: SeededRandom): unknown {
  const change = chance.next();
  if (change < 0.2) return [];
  if (change < 0.4) return Array.from({ length: chance.pick([51, 1000, 5000]) }, () => list[0] ?? null);
  const at = Math.floor(chance.next() * list.length);
  return list.map((one, index) => (index === at ? corruptValue(one, chance) : one));
}

function corruptPrimitive(value: unknown, chance: SeededRandom): unknown {
  if (typeof value === 'number' && chance.is(0.5)) {
    return chance.pick([value + 1, value - 1, -value, value * 1e12, value + 0.5, String(value)]);
  }
  if (typeof value === 'string' && chance.is(0.6)) {
    const hostile = chance.pick(hostileTexts);
    const at = Math.floor(chance.next() * (value.length + 1));
    return chance.pick([
      value.slice(0, at) + hostile + value.slice(at),
      value.slice(0, at),
      value + value,
      value.toUpperCase(),
      ` ${value} `,
      Number(value),
    ]);
  }
  return hostileValue(chance);
}

/** A body with invalid or unusual JSON. */
export function spoiltJson(json: string, chance: SeededRandom): string {
  const at = Math.floor(chance.next() * json.length);
  return chance.pick([
    () => json.slice(0, at),
    () => json + json,
    () => json.slice(0, at) + chance.pick(hostileTexts) + json.slice(at),
    () => `{"__proto__":${json},"constructor":{"prototype":${json}}}`,
    () => json.replace('{', `{"__proto__":{"admin":true},`),
    () => `${repeat('[', 5000)}${repeat(']', 5000)}`,
    () => `${repeat('{"a":', 3000)}1${repeat('}', 3000)}`,
    () => json.replace(/\d+/, repeat('9', 400)),
    () => json.replace(/"[^"]*"/, String.raw`"\ud800\u0000"`),
    () => json.replace(/:\s*"[^"]*"/, ':1e999'),
    () => `[${repeat('0,', 20_000)}0]`,
    () => repeat(' ', 60_000),
    () => `"${repeat('a', 66_000)}"`,
    () => 'null',
    () => '',
  ])();
}
