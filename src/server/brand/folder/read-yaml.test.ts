import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { nonEmptyText } from '#contract/fields.ts';
import { readBrandFolder } from './read-folder.ts';
import { problemsOf, readYaml, type Problem, parseAsWritten } from './read-yaml.ts';
import { brandFileSchema, type BrandFile } from './schema.ts';
import { nameOf } from './sentences.ts';

/** A demo brand whose values are replaced one at a time, without quotes, as operators type them. */
const demo = fileURLToPath(new URL('../../../sandbox/brands/mego', import.meta.url));
const original = readFileSync(join(demo, 'brand.yaml'), 'utf8');

const read = <S extends v.GenericSchema>(text: string | Uint8Array, schema: S) => {
  const yaml = readYaml('brand.yaml', typeof text === 'string' ? Buffer.from(text) : text);
  if (yaml.value === undefined) return { file: undefined, problems: yaml.problems };
  const { parsed, oddNumbers } = parseAsWritten(schema, yaml);
  const issues = parsed.issues ? problemsOf(schema, parsed.issues, 'brand.yaml', yaml) : [];
  const odd: Problem[] = oddNumbers.map(({ path, message }) => ({
    file: 'brand.yaml',
    line: yaml.lineOf(path),
    message: `${nameOf(path)}: ${message}`,
  }));
  return { file: parsed.success ? parsed.output : undefined, problems: [...yaml.problems, ...issues, ...odd] };
};
const faults = (text: string | Uint8Array, schema: v.GenericSchema = brandFileSchema) =>
  read(text, schema).problems.flatMap(({ file, line, message, remark }) =>
    remark ? [] : [`${file}:${line ?? 0}: ${message}`],
  );
const withName = (text: string) => original.replace(/^name: .*$/m, `name: ${text}`);

type Read = BrandFile | undefined;
const isNoText = (text: string) => /^(true|false|null|~)$/i.test(text);

const token = fc.oneof(
  fc.stringMatching(/^[+-]?\d{1,22}$/),
  fc.stringMatching(/^0\d{1,9}$/),
  fc.stringMatching(/^\d{1,4}[eE][+-]?\d{1,3}$/),
  fc.stringMatching(/^0[xob][\da-f]{1,8}$/),
  fc.stringMatching(/^\d{1,3}\.\d{0,3}$/),
  fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  fc.constantFrom(
    'yes',
    'no',
    'on',
    'off',
    'y',
    'n',
    'true',
    'True',
    'FALSE',
    'null',
    '~',
    'NULL',
    '.inf',
    '-.INF',
    '.nan',
  ),
  fc.stringMatching(/^\d\d:\d\d(:\d\d)?$/),
  fc.stringMatching(/^[\d_]{2,8}$/),
);

describe('a text in brand.yaml', () => {
  it('keeps the demo brand readable', () => {
    expect(readBrandFolder(demo).problems.filter(({ remark }) => !remark)).toEqual([]);
  });

  const small = v.object({
    name: nonEmptyText(60),
    nested: v.array(v.object({ texts: v.union([nonEmptyText(60), v.object({})]) })),
  });

  it('is used as written, or refused with its line', () => {
    fc.assert(
      fc.property(token, token, (name, text) => {
        const source = `# first\nname: ${name}\nnested:\n  - texts: ${text}\n`;
        const told = faults(source, small);
        const lines = [name, text].flatMap((one, index) => (isNoText(one) ? [[2, 4][index]] : []));
        expect(told.map((one) => /^brand\.yaml:(\d+): .*put it in quotes$/.exec(one)?.[1])).toEqual(lines.map(String));
        if (lines.length === 0) expect(read(source, small).file).toEqual({ name, nested: [{ texts: text }] });
        const quoted = `name: ${JSON.stringify(name)}\nnested: [{ texts: ${JSON.stringify(text)} }]\n`;
        expect(read(quoted, small).file).toEqual({ name, nested: [{ texts: text }] });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['account: ', '0012345678', (file: Read) => file?.methods[0]?.details.receiver?.account],
    ['code: ', '1E3', (file: Read) => file?.coupons[0]?.code],
    ['phone: ', '+5511900000000', (file: Read) => file?.contact.phone],
    ['taxNumber: ', '1234567890123456789', (file: Read) => file?.seller?.taxNumber],
    ['areaCode: ', '007', (file: Read) => file?.login.areaCode],
    ['id: ', '0101', (file: Read) => file?.plans[0]?.id],
  ])('%s%s is that text', (key, text, get) => {
    const places: Record<string, string> = {
      'account: ': original.replace(
        /^methods:\n {2}- /m,
        `methods:\n  - details: { receiver: { name: 007, account: ${text} } }\n    `,
      ),
      'code: ': `${original.replace(/^coupons:[^]*?(?=^\S|$(?![^]))/m, '')}\ncoupons:\n  - { code: ${text}, percent: 5, uses: 1, from: 2026-01-01, until: 2026-02-01 }\n`,
      'phone: ': original.replace(/^contact:$/m, `contact:\n  phone: ${text}`),
      'taxNumber: ': original.replace(/taxNumber: .*/, `taxNumber: ${text}`),
      'areaCode: ': original.replace(/areaCode: .*/, `areaCode: ${text}`),
      'id: ': original.replace(/^( +- id:) .*$/m, `$1 ${text}`),
    };
    const source = places[key] ?? expect.fail();
    expect(faults(source)).toEqual([]);
    expect(get(read(source, brandFileSchema).file)).toBe(text);
  });

  it.each(['0x1E', '030', '3e1', '+30', '0o36'])('refuses the number %s', (number) => {
    const told = faults(original.replace(/days: \d+/, `days: ${number}`));
    expect(told).toEqual([
      expect.stringMatching(/^brand\.yaml:\d+: plans\[0\]\.days: .* is no plain number; write it as 30$/),
    ]);
  });

  it.each([
    ['*Acme*', 'alias'],
    ['&Acme TV', 'anchor'],
    ['!Acme TV', 'tag'],
    ['!!int "12"', 'text'],
    ['@Acme', 'quotes'],
    ['`Acme`', 'quotes'],
    ['Acme: TV', 'quotes'],
    ['#1', 'quotes'],
    ['', 'quotes'],
  ])('name: %s is refused with its line', (text, word) => {
    const line = original.split('\n').findIndex((one) => one.startsWith('name: ')) + 1;
    const told = faults(withName(text));
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]).toMatch(new RegExp(`^brand\\.yaml:${line}: .*(${word})`));
  });

  it.each([
    ['a key twice', (text: string) => `${text}\nname: Other\n`, /unique/],
    ['a tab', (text: string) => text.replace(/^ {2}email/m, '\temail'), /[Tt]ab/],
    ['a merge key', (text: string) => `${text}\n<<: { name: Other }\n`, /<< is not known/],
    ['another version of YAML', (text: string) => `%YAML 1.1\n---\n${text}`, /%YAML 1\.1/],
    ['two documents', (text: string) => `${text}\n---\nname: Other\n`, /multiple documents/],
    ['an alias bomb', (text: string) => `a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n${text}`, /alias|anchor/],
    ['a million brackets', (text: string) => `a: ${'['.repeat(900_000)}\n${text}`, /nested too deeply/],
    ['a large file', (text: string) => `# ${'x'.repeat(1_000_000)}\n${text}`, /more than/],
  ])('%s is refused with its line', (_, change, words) => {
    const told = faults(change(original));
    expect(
      told.some((one) => /^brand\.yaml:\d+: /.test(one) && words.test(one)),
      told.join('\n'),
    ).toBe(true);
  });

  it('may begin with a byte order mark, and must be UTF-8', () => {
    expect(faults(`\uFEFF${original}`)).toEqual([]);
    const latin1 = Buffer.from(original.replace(/^name: .*$/m, 'name: Caf\u00e9'), 'latin1');
    const line = original.split('\n').findIndex((one) => one.startsWith('name: ')) + 1;
    expect(faults(latin1)).toEqual([expect.stringMatching(new RegExp(`^brand\\.yaml:${line}: is not UTF-8`))]);
    expect(faults(Buffer.from(`\uFEFF${original}`, 'utf16le'))).toEqual([expect.stringContaining('is not UTF-8')]);
  });

  it.each(['Studio #1', 'Studio\t#1', 'C #major', 'Studio #1 # the first'])(
    'is refused with its line where a # cuts it off: %s',
    (text) => {
      const line = original.split('\n').findIndex((one) => one.startsWith('name: ')) + 1;
      expect(faults(withName(text))).toEqual([
        expect.stringMatching(new RegExp(`^brand\\.yaml:${line}: #\\w.* is a comment in YAML; put the text in quotes`)),
      ]);
      expect(read(withName(JSON.stringify(text)), brandFileSchema).file?.name).toBe(text);
    },
  );

  it.each(['Studio # the first', 'Studio ## the first', 'Studio#1', 'Studio\n#the first'])(
    'may have a comment for people, and a # of its own: %s',
    (text) => expect(faults(withName(text))).toEqual([]),
  );

  it.each(['? [a]\n: b', '? { a: b }\n: c', '[a]: b', '{ a: b }: c'])(
    'is refused with its line, and without a warning of the process, where it is a list as a key: %s',
    (text) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const lines = original.trimEnd().split('\n').length;
      expect(faults(`${original.trimEnd()}\n${text}\n`)[0]).toMatch(
        new RegExp(`^brand\\.yaml:${lines + 1}: a key that is a list or a map .* put it in quotes$`),
      );
      expect(warn).not.toHaveBeenCalled();
      warn.mockRestore();
    },
  );

  it.each(['9007199254740993', '-9007199254740993', '12345678901234567890', '9'.repeat(400), '9007199254740993.5'])(
    'is refused as a number that cannot be represented exactly: %s',
    (number) => {
      const counted = v.object({ amount: v.number() });
      expect(faults(`amount: ${number}\n`, counted)).toContainEqual(
        expect.stringMatching(/^brand\.yaml:1: amount: \S+ is too large for a number$/),
      );
      expect(faults('amount: 9007199254740991\n', counted)).toEqual([]);
    },
  );
});
