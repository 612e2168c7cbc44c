import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawingFaults, drawingFaultsOfBytes } from '#server/brand/folder/drawing-faults.ts';
import { withDrawing } from '#server/brand/folder/draw.ts';
import { readPictures } from '#server/brand/folder/read-folder.ts';

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

/** Nested groups of ten references each: five levels draw the square a hundred thousand times. */
const nestedReferences = (levels = 10) => {
  const group = (level: number) => `<g id="g${level}">${`<use href="#g${level - 1}"/>`.repeat(10)}</g>`;
  return svg(
    `<defs><g id="g0">${square}</g>${Array.from({ length: levels }, (_, n) => group(n + 1)).join('')}</defs><use href="#g${levels}"/>`,
  );
};

/** As drawing programs write them. */
const realLogos = {
  Inkscape: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="90mm" height="90mm" viewBox="0 0 90 90" version="1.1" id="svg5" inkscape:version="1.3 (0e150ed, 2023-07-21)"
  sodipodi:docname="logo (final).svg" xml:space="preserve"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns="http://www.w3.org/2000/svg"
  xmlns:svg="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:document-units="mm"><inkscape:grid type="xygrid" id="g1"/></sodipodi:namedview>
  <defs id="defs2"><linearGradient inkscape:collect="always" id="a"><stop style="stop-color:#00aa77;stop-opacity:1;" offset="0"/></linearGradient>
    <linearGradient xlink:href="#a" id="b" x1="0" y1="0" x2="9" y2="9" gradientUnits="userSpaceOnUse" gradientTransform="matrix(1,0,0,1,0,0)"/>
    <clipPath clipPathUnits="userSpaceOnUse" id="c"><rect width="90" height="90" style="fill:#000;clip-path:none;mask:none;filter:none"/></clipPath></defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" clip-path="url(#c)">
    <path style="fill:url(#b);stroke:none;font-family:'Curlz MT';-inkscape-stroke:none" d="m 0,0 h 90 v 90 z" id="path1" sodipodi:nodetypes="cccc"/></g>
  <metadata id="metadata1"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format><dc:title>Acme &amp; Co</dc:title></cc:Work></rdf:RDF></metadata>
</svg>`,
  Illustrator: `<?xml version="1.0" encoding="utf-8"?><!-- Generator: Adobe Illustrator 27 -->
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
  viewBox="0 0 9 9" style="enable-background:new 0 0 9 9;" xml:space="preserve"><style type="text/css">
  .st0{fill:#00AA77;} .st1{clip-path:url(#SVGID_2_);} .st2{fill:url(#g);transform:translate(1px,0)}</style>
  <defs><rect id="SVGID_1_" width="9" height="9"/></defs><clipPath id="SVGID_2_"><circle cx="4" cy="4" r="4"/></clipPath>
  <linearGradient id="g"><stop offset="0" stop-color="rgb(0,0,0)"/></linearGradient>
  <g class="st1"><path class="st0" d="M0,0h9v9z"/><polygon class="st2" points="0,0 9,0 9,9"/></g></svg>`,
  Figma: `<svg width="9" height="9" viewBox="0 0 9 9" fill="none" xmlns="http://www.w3.org/2000/svg"><g clip-path="url(#clip0_1_2)">
  <path fill-rule="evenodd" clip-rule="evenodd" d="M0 0h9v9H0z" fill="url(#paint0)"/></g><defs>
  <radialGradient id="paint0" cx="0" cy="0" r="1" gradientUnits="userSpaceOnUse" gradientTransform="translate(4 4) rotate(90) scale(4)"><stop stop-color="#0A7"/></radialGradient>
  <clipPath id="clip0_1_2"><rect width="9" height="9" fill="white" transform="translate(0.5)"/></clipPath></defs></svg>`,
};

describe('the logo of a brand', () => {
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
  ])('is refused before it is rendered if it has %s', async (_, logo, names) => {
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
  ])('is accepted if it has %s', async (_, logo) => {
    expect(await problemsOf(logo)).toEqual([]);
  });

  const clips = (levels: number) =>
    Array.from(
      { length: levels },
      (_, n) => `<clipPath id="c${n}">${`<path clip-path="url(#c${n + 1})" d="M0 0h9v9z"/>`.repeat(2)}</clipPath>`,
    ).join('');
  const gradients = (levels: number) =>
    Array.from({ length: levels }, (_, n) => `<linearGradient id="g${n}" href="#g${n + 1}"/>`).join('');

  it.each([
    [
      'a prefix that means SVG',
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:cc="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><cc:use href="#a"/></svg>`,
    ],
    ['a prefix that means XHTML', svg('<dc:script xmlns:dc="http://www.w3.org/1999/xhtml">alert(1)</dc:script>')],
    ['another default namespace', svg('<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>')],
    ['an element of XHTML in its metadata', svg('<metadata><p xmlns="http://www.w3.org/1999/xhtml"/></metadata>')],
    ['no namespace', '<svg viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'],
    ['an element of a prefix that is not declared', svg('<cc:use href="#a"/>')],
    ['a name that begins with a letter outside of ASCII', svg('<éuse href="#a"/>')],
    ['a reference in a name', svg('<&#117;se href="#a"/>')],
    ['a clip that is clipped', svg(clips(20) + '<path clip-path="url(#c0)" d="M0 0h9v9z"/>')],
    [
      'a clip that is clipped by its style',
      svg('<clipPath id="a"><path style="clip-path:url(#b)" d="M0 0h9"/></clipPath>'),
    ],
    [
      'a clip that is clipped by a class',
      svg('<style>.k{clip-path:url(#a)}</style><clipPath id="a"><path class="k" d="M0 0h9"/></clipPath>'),
    ],
    [
      'a style that clips by the name of an element',
      svg('<style>path{clip-path:url(#a)}</style><clipPath id="a"><path d="M0 0h9"/></clipPath>'),
    ],
    [
      'a style that clips and is not closed',
      svg('<style>.k{clip-path:url(#a)</style><clipPath id="a"><path class="k" d="M0 0h9"/></clipPath>'),
    ],
    [
      'many clips of many shapes',
      svg(`<clipPath id="a">${'<path d="M0 0h9"/>'.repeat(200)}</clipPath>${'<g clip-path="url(#a)"/>'.repeat(200)}`),
    ],
    ['references inside of references', svg(gradients(6))],
    ['references in a circle', svg('<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>')],
    ['groups inside of groups', svg('<g>'.repeat(80) + '</g>'.repeat(80))],
    ['a filter by its attribute', svg('<path filter="url(#f)" d="M0 0h9"/>')],
    ['a filter by its style', svg('<path style="filter:blur(99px)" d="M0 0h9"/>')],
    ['a mask by its style', svg('<path style="fill:red;mask:url(#m)" d="M0 0h9"/>')],
    ['a document type', `<!DOCTYPE svg>${svg(square)}`],
    ['an entity', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`],
    ['an entity that nobody declares', svg('&a;')],
    ['a processing instruction', `<?xml-stylesheet href="https://evil.example/a.css"?>${svg(square)}`],
    ['CDATA', svg('<style><![CDATA[@import "https://evil.example/a.css"]]></style>')],
    ['another encoding', `<?xml version="1.0" encoding="utf-7"?>${svg(square)}`],
    ['an import', svg('<style>@import "https://evil.example/a.css";</style>')],
    ['an import that is escaped', svg('<style>\\40import "https://evil.example/a.css";</style>')],
    ['an address in a style', svg('<path style="fill:url(https://evil.example/a#b)" d="M0 0h9"/>')],
    ['an address in a style by references', svg('<path style="fill:&#117;rl(//evil.example/a)" d="M0 0h9"/>')],
    ['an address in an attribute by references', svg('<path fill="&#x75;rl(//evil.example/a)" d="M0 0h9"/>')],
    ['an address in an attribute by escapes', svg('<path fill="\\75 rl(//evil.example/a)" d="M0 0h9"/>')],
    ['a set of pictures', svg('<style>svg{background:image-set("https://evil.example/a")}</style>')],
    ['a reference elsewhere', svg('<linearGradient id="a" href="https://evil.example/a#b"/>')],
    [
      'a reference elsewhere by another prefix',
      svg('<linearGradient id="a" xmlns:y="http://www.w3.org/1999/xlink" y:href="&#104;ttps://evil.example/a"/>'),
    ],
    ['another base', svg('<g xml:base="https://evil.example/"/>')],
    ['a script in an attribute', svg('<path onload="alert(1)" d="M0 0h9"/>')],
    ['a script in an attribute without a space', svg('<path d="M0 0h9"/onload="alert(1)">')],
    ['an element that is not closed', svg('<g>')],
    ['a second root', svg(square) + svg(square)],
    ['an attribute twice', svg('<path d="M0 0h9" d="M0 0h9"/>')],
    ['NUL', svg('<title>\0</title>')],
  ])('is refused by its text alone if it has %s', (_, logo) => {
    // CPU time of this thread, so that other load on the machine does not count
    const before = process.threadCpuUsage();
    expect(drawingFaults(logo)).not.toEqual([]);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(500);
  });

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${svg('<use href="#a"/>')}`, 'utf16le')],
    ['Latin 1', Buffer.from(svg('<title>é</title>'), 'latin1')],
  ])('is refused in %s, which browsers decode differently', (_, bytes) => {
    expect(drawingFaultsOfBytes(bytes)).not.toEqual([]);
  });

  it('is valid as the icon that is generated from it', async () => {
    const logo = `<!-- <svg --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" aria-label="a > b">${square}</svg>`;
    await writeFile(join(folder, 'logo.svg'), logo);
    const { pictures, problems } = await readPictures(folder, { code: 'acme', themeColor: '#ffffff', icon: {} });
    expect(problems).toEqual([]);
    const served = pictures.filter(({ type }) => type === 'image/svg+xml');
    expect(served).toHaveLength(3);
    for (const { path, bytes } of served) expect(drawingFaultsOfBytes(bytes ?? new Uint8Array()), path).toEqual([]);
  });

  it.each(Object.entries(realLogos))('of %s is accepted', (_, logo) => {
    expect(drawingFaults(logo)).toEqual([]);
  });

  it.each([
    ['cannot start', "import './missing.mjs'", 'Cannot find module'],
    ['ends before it answers', "process.on('message', () => process.exit(3))", 'it does not say why'],
    ['ends at once', 'process.exit(3)', 'it does not say why'],
  ])('is not blamed for a process that %s', async (_case, source, why) => {
    const program = join(folder, 'program.mjs');
    await writeFile(program, source);
    const drawn = withDrawing((draw) => draw(svg(square), 10), { program });
    await expect(drawn).rejects.toThrow('the process that draws it ended: ');
    await expect(drawn).rejects.toThrow(why);
  });

  it('is cancelled after its time limit without blocking the server', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 20);
    await expect(withDrawing((draw) => draw(nestedReferences(5), 4000), { limitMs: 1000 })).rejects.toThrow(
      'takes too long to draw',
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
