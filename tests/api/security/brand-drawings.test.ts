import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDrawing } from '../../../src/server/brand/folder/draw.ts';
import { readPictures } from '../../../src/server/brand/folder/read-pictures.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brand-'));
});
afterAll(() => rm(folder, { recursive: true }));

const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inner}</svg>`;
const square = '<path fill="#0a7" d="M0 0h9v9H0z"/>';

async function problemsOf(logo: string): Promise<string[]> {
  await writeFile(join(folder, 'logo.svg'), logo);
  const { problems } = await readPictures(folder, { code: 'acme', themeColor: '#ffffff', icon: {} });
  return problems.map(({ message }) => message);
}

/** Groups of ten references each, one inside the other: five draw the square a hundred thousand times. */
const nestedReferences = (levels = 10) => {
  const group = (level: number) => `<g id="g${level}">${`<use href="#g${level - 1}"/>`.repeat(10)}</g>`;
  return svg(
    `<defs><g id="g0">${square}</g>${Array.from({ length: levels }, (_, n) => group(n + 1)).join('')}</defs><use href="#g${levels}"/>`,
  );
};

describe('a brand’s drawing', () => {
  it.each([
    ['references inside references', nestedReferences(), 'use'],
    ['a pattern', svg('<pattern id="p"/><path fill="url(#p)" d="M0 0h9v9z"/>'), 'pattern'],
    ['a mask', svg(`<mask id="m">${square}</mask>`), 'mask'],
    ['a filter', svg('<filter id="f"><feTurbulence numOctaves="99"/></filter>'), 'filter, feTurbulence'],
    ['a picture in it', svg('<image href="#a"/>'), 'image'],
    ['an animation', svg('<animate/>'), 'animate'],
    ['a script', svg('<SCRIPT>1</SCRIPT>'), 'SCRIPT'],
    ['an element with a prefix', svg('<svg:use href="#a"/>'), 'svg:use'],
    ['text', svg('<text>A</text>'), 'text'],
  ])('is refused before it is drawn where it has %s', async (_, logo, names) => {
    expect(await problemsOf(logo)).toContain(`has elements other than shapes (${names}); turn them into paths`);
  });

  it.each([
    [
      'shapes with a gradient and a clip',
      svg(
        `<defs><linearGradient id="a"><stop stop-color="#0a7"/></linearGradient><clipPath id="b"><rect width="9" height="9"/></clipPath></defs><g clip-path="url(#b)"><circle cx="4.5" cy="4.5" r="4" fill="url(#a)"/></g>`,
      ),
    ],
    [
      'what an editor leaves beside the shapes',
      `<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Acme</title><metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>${square}</svg>`,
    ],
  ])('is drawn where it has %s', async (_, logo) => {
    expect(await problemsOf(logo)).toEqual([]);
  });

  it('is given up when its time is over, and the shop answers meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 20);
    await expect(withDrawing((draw) => draw(nestedReferences(5), 4000), 1000)).rejects.toThrow(
      'takes too long to draw',
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
