import { describe, expect, it } from 'vitest';
import { hanFamily } from './fonts.ts';
import { directionOf, runsOf, wrapLines } from './lines.ts';

describe('the lines of a text', () => {
  const face = (id: string) => ({ id, has: () => true, font: () => expect.fail('no font is needed to order a line') });
  const [latin, hebrew] = [face('latin'), face('hebrew')];
  const lineOf = (text: string) =>
    Array.from(text, (one) => ({ text: one, face: /\p{Script=Hebrew}/u.test(one) ? hebrew : latin }));

  it('are ordered as Unicode orders text of both directions, with mirrored brackets', () => {
    const inHebrew = lineOf('אב (Ali) 12');
    expect(directionOf(inHebrew)).toBe('rtl');
    // a shaper reverses Hebrew letters
    expect(runsOf(inHebrew, 'rtl').map(({ text }) => text)).toEqual(['12', ' (', 'Ali', ') ', 'אב']);
    const inEnglish = lineOf('Ana אב Lima');
    expect(directionOf(inEnglish)).toBe('ltr');
    expect(runsOf(inEnglish, 'ltr').map(({ text }) => text)).toEqual(['Ana ', 'אב', ' Lima']);
  });

  it('break at spaces, between words of Thai, and within a word that is longer than a line', () => {
    const lines = (text: string, width: number) =>
      wrapLines(lineOf(text), width, (part) => part.length).map((line) => line.map((one) => one.text).join(''));
    expect(lines('one two three', 8)).toEqual(['one two', 'three']);
    expect(lines('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(lines('上海浦东新区', 4)).toEqual(['上海浦东', '新区']);
    expect(lines('กรุงเทพมหานครประเทศไทย', 18)).toEqual(['กรุงเทพมหานคร', 'ประเทศไทย']);
    expect(lines('', 4)).toEqual(['']);
  });
});

describe('the forms of Han characters', () => {
  it('are those of the region whose script writes the whole text', () => {
    expect(['小明 王', '陳大文', '渋谷', '山田 太郎です', '김 金', 'Ana'].map(hanFamily)).toEqual([
      'noto-sans-sc',
      'noto-sans-tc',
      'noto-sans-jp',
      'noto-sans-jp',
      'noto-sans-kr',
      undefined,
    ]);
  });
});
