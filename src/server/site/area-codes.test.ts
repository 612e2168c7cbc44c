import { describe, expect, it } from 'vitest';
import { languages } from '#contract/fields.ts';
import { areaCodesIn, isSupportedAreaCode } from './account-rules.ts';

/** Codes of countries and territories that are assigned and in use (ITU-T E.164, list of assigned country codes). */
const assigned =
  `1 7 20 27 30-34 36 39-41 43-49 51-58 60-66 81 82 84 86 90-95 98 211-213 216 218 220-258 260-269 290 291
  297-299 350-359 370-378 380-383 385-387 389 420 421 423 500-509 590-599 670 672-683 685-692 850 852 853 855 856 880 886
  960-968 970-977 992-996 998`
    .split(/\s+/)
    .flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
    });

describe('the country codes', () => {
  it('are all those that the ITU has assigned to a country', () => {
    const listed = new Set(areaCodesIn('en').map(({ areaCode }) => areaCode));
    expect(assigned.filter((code) => !listed.has(code) || !isSupportedAreaCode(code))).toEqual([]);
    expect([...listed].filter((code) => !assigned.includes(code))).toEqual([]);
  });

  it('are listed for each country, with a name that fits a small phone', () => {
    for (const language of languages) {
      const list = areaCodesIn(language);
      expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
      // 40 letters of 16 px take two lines of a menu at 320 px
      expect(list.filter(({ name, country }) => name === country || name.length > 50)).toEqual([]);
    }
    const countries = areaCodesIn('en').map(({ country }) => country);
    expect(countries).toEqual(
      expect.arrayContaining(['JM', 'KZ', 'JE', 'SG', 'CN', 'ML', 'BF', 'BJ', 'TG', 'XK', 'PR', 'DO']),
    );
  });
});
