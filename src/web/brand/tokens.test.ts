import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, fromOklch, parseHex, toHex, toOklch } from './oklch.ts';
import { brandCss, brandTokens, defaultThemeColor } from './tokens.ts';

const surfaces = ['--page', '--surface', '--surface-2'] as const;
const texts = ['--text', '--text-soft', '--brand-text', '--danger', '--success', '--warning'] as const;
const controls = ['--brand', '--brand-hover', '--line-strong', '--focus'] as const;

/** Every pair that the design puts on one another, with what WCAG asks of it. */
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
    'can be read in light and dark: %s',
    (color) => expect(failures(color)).toEqual([]),
  );

  it('can be read whatever the colour', propertyTest, () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, (value) => {
        expect(failures(value)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('keep the hue of the brand', () => {
    const hue = toOklch(parseHex('#E11D48')!)[2];
    const { light, dark } = brandTokens('#E11D48');
    for (const tokens of [light, dark]) {
      expect(toOklch(parseHex(tokens['--brand'] ?? '') ?? [0, 0, 0])[2]).toBeCloseTo(hue, 1);
    }
  });

  it('are the brand itself where it can already be seen', () => {
    expect(brandTokens('#E11D48').light['--brand']).toBe('#e11d48');
    expect(brandTokens('#163A64').light['--on-brand']).toBe('#ffffff');
  });

  it.each(['', 'red', '#12', '#GGGGGG', 'url(x)', '#fff;}body{display:none', 'rgb(1,2,3)'])(
    'fall back from %j to the default',
    (color) => {
      expect(brandTokens(color)).toEqual(brandTokens(defaultThemeColor));
    },
  );

  it('are plain CSS in three blocks, for the system and for the TV', () => {
    const css = brandCss('#abc');
    expect(css).toMatch(
      /^:root\{--page:#[\da-f]{6};.*\}@media \(prefers-color-scheme:dark\)\{:root\{.*\}\}\[data-screen=TV\]\{.*\}$/,
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

  it('comes back to the same colour', propertyTest, () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const hex = `#${value.toString(16).padStart(6, '0')}`;
        expect(toHex(fromOklch(toOklch(parseHex(hex)!)))).toBe(hex);
      }),
    );
  });
});
