import svgCaptcha from 'svg-captcha-fixed';
import type { Random } from '../process/random.ts';

/** Letters and digits that nobody takes for another, drawn or said: none of 0 O Q, 1 I L, 2 Z, 5 S, 8 B, G F, U V. */
const alphabet = 'ACDEHJKMNPRTWXY34679';
const pictureLetters = 5;

const width = 220;
const height = 76;
const glyphBox = 140;

// the module itself is the function that draws, which the types that come with it leave out
const draw = svgCaptcha as unknown as (text: string, options: object) => string;

/** The letters of a new picture. */
export const pictureText = (random: Random): string => random.text(alphabet, pictureLetters);

/**
 * These letters as an SVG document. Every letter leans and floats its own way, and all outlines and strands are one
 * path in no order, so that no letter is an element by itself. The tile is light and the ink dark in every theme.
 */
export function drawPicture(text: string, random: Random): string {
  const step = (width - 24) / text.length;
  const letters = text.split('').map((letter, at) => drawLetter(letter, 12 + step * (at + 0.5), random));
  const strands = Array.from({ length: 2 }, () => drawStrand(random));
  const outlines = shuffled([...letters, ...strands].join('').match(/M[^M]+/g) ?? [], random);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#f3f1ec"/><path fill="#23211d" stroke="#23211d" stroke-width=".7" d="${outlines.join('')}"/></svg>`,
  ].join('');
}

function drawLetter(letter: string, x: number, random: Random): string {
  const drawn = draw(letter, { width: glyphBox, height: glyphBox, fontSize: 78, noise: 0 });
  const outline = /d="([^"]*)"/.exec(drawn)?.[1] ?? '';
  const angle = between(random, -0.3, 0.3);
  const size = between(random, 0.9, 1.05);
  const y = height / 2 + between(random, -4, 4);
  const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size];
  const middle = { x: (glyphBox - 2) / 2, y: glyphBox / 2 };
  // an outline has absolute commands only, and each of their numbers comes in pairs
  return outline.replaceAll(/(-?[\d.]+) ?(-?[\d.]+)/g, (_, left: string, top: string) => {
    const [dx, dy] = [Number(left) - middle.x, Number(top) - middle.y];
    return point(x + dx * cos - dy * sin, y + dx * sin + dy * cos);
  });
}

/** A thin band across the tile. */
function drawStrand(random: Random): string {
  const knots = [4, width * 0.3, width * 0.7, width - 4].map(
    (x) => [x + between(random, -4, 4), between(random, 10, height - 10)] as const,
  );
  const [there, back] = [0, 1.6].map((shift) => knots.map(([x, y]) => point(x, y + shift)));
  const [start, ...along] = there ?? [];
  const [end, ...home] = (back ?? []).toReversed();
  return `M${start}C${along.join(' ')}L${end}C${home.join(' ')}Z`;
}

const point = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function between(random: Random, low: number, high: number): number {
  return low + ((high - low) * Number(random.text('0123456789', 3))) / 999;
}

function shuffled(outlines: readonly string[], random: Random): string[] {
  const keyed = outlines.map((outline) => [random.text('0123456789', 6), outline] as const);
  return keyed.sort(([a], [b]) => a.localeCompare(b)).map(([, outline]) => outline);
}
