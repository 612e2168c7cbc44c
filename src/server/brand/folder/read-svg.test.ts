import { describe, expect, it } from 'vitest';
import { drawingFaults } from './drawing-faults.ts';
import { readSvg } from './read-svg.ts';

const root = '<svg xmlns="http://www.w3.org/2000/svg"';
const svg = (inner: string) => `${root} viewBox="0 0 9 9">${inner}</svg>`;
const title = (text: string) => svg(`<title>${text}</title>`);

describe('a drawing that no XML parser reads', () => {
  it.each([
    'R&D',
    'a & b',
    'a &',
    '&;',
    '&amp',
    '&AMP;',
    '&nbsp;',
    '&constructor;',
    '&toString;',
    '&__proto__;',
    '&#;',
    '&#x;',
    '&#0;',
    '&#8;',
    '&#x1F;',
    '&#XA9;',
    '&#xD800;',
    '&#xDFFF;',
    '&#xFFFE;',
    '&#xFFFF;',
    '&#x110000;',
    '&#x99999999999;',
    '&#99999999999;',
  ])('is refused for the reference in %s, in text and in an attribute', (text) => {
    const message: unknown = expect.stringContaining('write & as &amp;');
    expect(drawingFaults(title(text))).toEqual([message]);
    expect(drawingFaults(svg(`<path id="${text}"/>`))).toEqual([message]);
  });

  it.each([
    ['the end of CDATA in text', title('a ]]> b'), 'write > as &gt;'],
    ['two hyphens in a comment', svg('<!-- a -- b -->'), 'comment'],
    ['three hyphens at the end of a comment', svg('<!-- a --->'), 'comment'],
    ['a comment without an end', svg('<!-- a'), 'comment'],
    ['< in an attribute', svg('<path id="a<b"/>'), 'is no XML in line 1'],
    ['an attribute without a value', svg('<path id/>'), 'is no XML'],
    ['an attribute without quotes', svg('<path id=a/>'), 'is no XML'],
    ['attributes without a space between', svg('<path id="a"d="M0 0"/>'), 'is no XML'],
    ['an attribute twice', svg('<path id="a" id="b"/>'), 'twice'],
    [
      'an attribute twice by two prefixes',
      svg('<path xmlns:a="urn:x" xmlns:b="urn:x" a:y="1" b:y="2"/>'),
      'has an attribute twice in path',
    ],
    ['a control character', title('\u0001'), 'is not text in UTF-8'],
    ['a noncharacter', title('\uFFFE'), 'is not text in UTF-8'],
    ['a space of another kind in a tag', svg('<path\u00A0id="a"/>'), 'is no XML'],
    ['a line separator in a tag', svg('<path\u2028id="a"/>'), 'is no XML'],
    ['a form feed in a tag', svg('<path\fid="a"/>'), 'is not text in UTF-8'],
    ['a space of another kind before it', `\u00A0${svg('')}`, 'is no whole drawing'],
    ['text behind it', `${svg('')}a`, 'is no whole drawing'],
    ['a reference behind it', `${svg('')}&#32;`, 'is no whole drawing'],
    ['a declaration in capitals', `<?XML version="1.0"?>${svg('')}`, 'XML declaration'],
    ['a declaration with two kinds of quotes', `<?xml version="1.0'?>${svg('')}`, 'XML declaration'],
    ['a declaration behind a space', ` <?xml version="1.0"?>${svg('')}`, 'XML declaration'],
    ['a prefix without a namespace', svg('<path xmlns:a=""/>'), 'namespace'],
    ['another namespace for the prefix xml', svg('<path xmlns:xml="urn:x"/>'), 'namespace'],
    [
      'another prefix for the namespace of xml',
      svg('<path xmlns:a="http://www.w3.org/XML/1998/namespace"/>'),
      'namespace',
    ],
    ['the prefix xmlns', svg('<path xmlns:xmlns="urn:x"/>'), 'namespace'],
    ['a prefix for the namespace of xmlns', svg('<path xmlns:a="http://www.w3.org/2000/xmlns/"/>'), 'namespace'],
  ])('is refused for %s', (_, drawing, message) => {
    expect(drawingFaults(drawing)).toEqual([expect.stringContaining(message)]);
  });
});

describe('a drawing', () => {
  it.each([
    ['R&amp;D &lt;&gt;&quot;&apos;', `R&D <>"'`],
    ['&#169;&#xA9;&#xa9;&#x0000000A9;&#0000000169;', '©©©©©'],
    ['&#9;&#10;&#13;', '\t\n\r'],
    ['&#x20;&#xD7FF;&#xE000;&#xFFFD;', ' \uD7FF\uE000\uFFFD'],
    ['&#x10000;&#x10FFFF;', '\u{10000}\u{10FFFF}'],
    ['a > b ]] > ]&gt;', 'a > b ]] > ]>'],
  ])('resolves its character references: %s', (written, text) => {
    expect(readSvg(title(written)).children[0]?.text).toBe(text);
  });

  it.each([
    `\uFEFF<?xml version='1.0' encoding="UTF-8"?>\r\n<!-- a - b -->${svg('')}\n<!-- c -->\n`,
    `<?xml version="1.0" encoding="utf-8" standalone='no' ?>${svg('<!---->')}`,
    svg('<path\n\tid = "a"\r\nd=\'M0 0\' />'),
    svg('<path xml:space="preserve" xmlns:xml="http://www.w3.org/XML/1998/namespace"/>'),
  ])('may be written as XML allows', (drawing) => {
    expect(drawingFaults(drawing)).toEqual([]);
  });
});
