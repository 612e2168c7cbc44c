import { describe, expect, it } from 'vitest';
import { demoBrands } from '#sandbox/demo-brands.ts';
import { rulesForBrowsers, unsafeRules } from './phone-rules.ts';

const slow = [
  '(a+)+$',
  '^(\\w+)*$',
  '^([a-z]|[a-z])*$',
  '(.*)*@',
  '^(a|aa)+$',
  '^\\w*\\w*\\w*\\w*\\w*\\w*@$',
  // slow without any star, so that a search for nested stars does not find it
  '^(a?){30}b',
  '^(a|a){25}$',
  '^(?:(a{0,30}){0,30}){0,30}$',
  '(?:\\w{1,200}){1,200}!',
  // slow within lookaheads, lookbehinds or backreferences
  '(?=(a+)+b)a',
  '(?!(a+)+b)a',
  '(a+)\\1+$',
];

describe('the patterns of a brand', () => {
  it.each(demoBrands())('all reach the phones of $brand.code', ({ brand }) => {
    const { validRules } = brand.config;
    expect(rulesForBrowsers(validRules)).toEqual(validRules);
    expect(unsafeRules(validRules)).toEqual([]);
  });

  it.each(slow)('never reach a phone that they would hold up: %s', (pattern) => {
    expect(rulesForBrowsers({ email: pattern, phone: '^\\d{8}$' })).toEqual({ phone: '^\\d{8}$' });
    expect(unsafeRules({ email: pattern })).toEqual(['email']);
  });

  it.each(['[', '(', 'a{2,1}', '*', '\\', 'a'.repeat(401)])('never reach a phone when broken: %s', (pattern) => {
    expect(rulesForBrowsers({ email: pattern })).toEqual({});
  });

  // an analysis in each round would take minutes, which exceeds the time limit of the test
  it('are analysed quickly, and only once', () => {
    const explosive = `^(?:${'(a?b?c?)*'.repeat(40)})+$`;
    expect(unsafeRules({ email: explosive })).toEqual(['email']);
    for (let round = 0; round < 20_000; round += 1) rulesForBrowsers({ email: explosive });
  });
});
