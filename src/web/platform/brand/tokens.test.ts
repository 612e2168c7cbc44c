import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, fromOklch, parseHex, toHex, toOklch, defaultThemeColor } from '#contract/oklch.ts';
import { brandCss, brandTokens } from './tokens.ts';

const surfaces = ['--page', '--surface', '--surface-2'] as const;
const texts = ['--text', '--text-soft', '--brand-text', '--danger', '--success', '--warning'] as const;
const controls = ['--brand', '--line-strong', '--focus'] as const;

/** Every pair of colours that the design combines, with the contrast that WCAG requires. */
function failures(color: string): string[] {
  const { light, dark } = brandTokens(color);
  const modes = [
    ['light', light],
    ['dark', dark],
  ] as const;
  return modes.flatMap(([mode, tokens]) => {
    const check = (front: `--${string}`, back: `--${string}`, least: number) => {
      const ratio = contrast(tokens[front] ?? '', tokens[back] ?? '');
      return ratio >= least ? [] : [`${color} ${mode} ${front} on ${back}: ${ratio.toFixed(2)}`];
    };
    return [
      ...texts.flatMap((front) => surfaces.flatMap((back) => check(front, back, 4.5))),
      ...controls.flatMap((front) => surfaces.flatMap((back) => check(front, back, 3))),
      ...check('--on-brand', '--brand', 4.5),
      ...check('--on-brand', '--fill', 4.5),
      ...check('--on-brand', '--brand-hover', 4.5),
      ...(['--brand-text', '--text', '--text-soft', '--on-brand-soft'] as const).flatMap((front) =>
        check(front, '--brand-soft', 4.5),
      ),
      ...(['danger', 'success', 'warning'] as const).flatMap((name) => check(`--${name}`, `--${name}-soft`, 4.5)),
      ...(['danger', 'success', 'warning'] as const).flatMap((name) => check('--text', `--${name}-soft`, 4.5)),
    ];
  });
}

/** Many runs on a machine that other tests share. */
const propertyTest = { timeout: 30_000 };

describe('the colours of a brand', () => {
  it.each(['#FFD200', '#F1B300', '#163A64', '#FFFFFF', '#000000', '#777777', '#E11D48', '#00B37E', defaultThemeColor])(
    'are legible in light and dark: %s',
    (color) => expect(failures(color)).toEqual([]),
  );

  it('are legible for any colour', propertyTest, () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, (value) => {
        expect(failures(value)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it.each(['#777777', '#00B37E', '#0F9D76', '#F97316', '#E11D48', '#163A64'])(
    'have white text on a button of %s, which is slightly darker where necessary',
    (color) => {
      const { '--brand': brand = '', '--on-brand': words } = brandTokens(color).light;
      expect(words).toBe('#ffffff');
      expect(toOklch(parseHex(color)!)[0] - toOklch(parseHex(brand)!)[0]).toBeLessThan(0.14);
    },
  );

  it.each(['#FFD200', '#F1B300', '#84CC16'])('have dark text on a button of bright %s', (color) => {
    const { light, dark } = brandTokens(color);
    for (const tokens of [light, dark]) {
      expect(contrast(tokens['--on-brand'] ?? '', '#ffffff')).toBeGreaterThan(15);
      expect(tokens['--fill']).toBe(color.toLowerCase());
    }
  });

  it('never make a picture too dark or too bright, and drawings on it are visible', propertyTest, () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    const holds = (value: string) => {
      const { light, dark } = brandTokens(value);
      for (const tokens of [light, dark]) {
        const art = tokens['--art'] ?? '';
        const lightness = toOklch(parseHex(art)!)[0];
        expect(lightness).toBeGreaterThan(0.48);
        expect(lightness).toBeLessThan(0.82);
        expect(contrast(art, tokens['--on-art'] ?? ''), value).toBeGreaterThanOrEqual(3);
        expect(contrast(art, tokens['--surface'] ?? ''), value).toBeGreaterThanOrEqual(1.5);
      }
    };
    for (const value of ['#FFD200', '#F1B300', '#163A64', '#FFFFFF', '#000000', '#777777', '#E11D48']) holds(value);
    fc.assert(fc.property(color, holds), { numRuns: 100 });
  });

  it('keep the hue of the brand', () => {
    const hue = toOklch(parseHex('#E11D48')!)[2];
    const { light, dark } = brandTokens('#E11D48');
    for (const tokens of [light, dark]) {
      expect(toOklch(parseHex(tokens['--brand'] ?? '') ?? [0, 0, 0])[2]).toBeCloseTo(hue, 1);
    }
  });

  it('are the brand’s colour unchanged where its contrast suffices', () => {
    expect(brandTokens('#E11D48').light['--brand']).toBe('#e11d48');
    expect(brandTokens('#163A64').light['--on-brand']).toBe('#ffffff');
  });

  it.each(['', 'red', '#12', '#GGGGGG', 'url(x)', '#fff;}body{display:none', 'rgb(1,2,3)'])(
    'fall back from %j to the default',
    (color) => {
      expect(brandTokens(color)).toEqual(brandTokens(defaultThemeColor));
    },
  );

  it('have 7:1 for all text where the visitor prefers more contrast', () => {
    const looks = ['#FFD200', '#777777', '#E11D48', '#00B37E'].map(brandTokens);
    for (const tokens of looks.flatMap(({ light, dark }) => [light, dark]))
      for (const front of ['--text', '--on-brand-soft'] as const)
        for (const back of [...surfaces, '--brand-soft'] as const)
          expect(contrast(tokens[front] ?? '', tokens[back] ?? ''), `${front} on ${back}`).toBeGreaterThanOrEqual(7);
    expect(brandCss('#abc')).toContain('--text-soft:var(--text);--brand-text:var(--on-brand-soft)');
  });

  it('are plain CSS in four blocks, for the system, for the TV, and for more contrast', () => {
    const css = brandCss('#abc');
    expect(css).toMatch(
      /^:root\{--page:#[\da-f]{6};.*\}@media \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme=light\]\)\{.*\}\}\[data-theme=dark\],\[data-screen=TV\]\{.*\}@media \(prefers-contrast:more\)\{:root:root\{.*\}\}$/,
    );
    expect(css).not.toMatch(/[<>]|NaN|undefined/);
  });
});

describe('colour arithmetic', () => {
  it('agrees with the references', () => {
    expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2);
    expect(contrast('#FFD200', '#ffffff')).toBeCloseTo(1.45, 2);
    const [lightness, chroma, hue] = toOklch(parseHex('#ff0000')!);
    expect([lightness, chroma, (hue * 180) / Math.PI].map((value) => value.toFixed(3))).toEqual([
      '0.628',
      '0.258',
      '29.234',
    ]);
  });

  it('converts back to the same colour', propertyTest, () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const hex = `#${value.toString(16).padStart(6, '0')}`;
        expect(toHex(fromOklch(toOklch(parseHex(hex)!)))).toBe(hex);
      }),
    );
  });
});
