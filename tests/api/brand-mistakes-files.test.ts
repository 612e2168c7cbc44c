import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aBrandFolder, drawing, type BrandFolder } from '#tests/builders/a-brand-folder.ts';
import { smallPicture } from '#tests/fixtures/small-picture.ts';

describe('a mistake in the folder of a brand', () => {
  let acme: BrandFolder;
  beforeEach(async () => {
    acme = await aBrandFolder({}, '--languages', 'en,pt');
  });
  afterEach(() => acme.remove());
  /** What `brand check` refuses, without the path of the folder. */
  const faults = async (folder = acme.folder) => {
    const { code, out } = await acme.run('brand', 'check', folder);
    const found = out.filter((line) => !line.includes(': remark: ')).map((line) => line.slice(folder.length + 1));
    expect(code).toBe(found.length > 0 ? 1 : 0);
    return found;
  };
  const put = async (file: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(acme.folder, file)), { recursive: true });
    await writeFile(join(acme.folder, file), content);
  };
  const picture = smallPicture('', 100).buffer;

  it.each<[string, string | Uint8Array, string]>([
    ['logo.png', picture, 'the logo'],
    ['notes.txt', 'later', 'is not known here'],
    ['picture/wordmark.svg', drawing, 'did you mean pictures?'],
    ['brand.json', '{}', 'because brand.yaml is'],
    ['documents/term.en.md', '# Terms', 'did you mean terms.en.md?'],
    ['documents/terms.xx.md', '# Terms', 'did you mean terms.'],
    ['documents/old/terms.en.md', '# Terms', 'is a folder'],
    ['words/xx.po', '', 'is for no language'],
    ['words/pt-BR.po', '', 'is for no language'],
    ['pictures/logo.svg', drawing, 'is not known'],
    ['pictures/Wordmark.svg', drawing, 'did you mean wordmark.svg?'],
    ['pictures/background.jpeg', picture, 'did you mean background.jpg?'],
    ['pictures/background.jpg', picture, 'another kind of file'],
    ['pictures/1-home-720x1480.png', picture, 'pixels'],
    ['pictures/2-home.png', picture, 'is not known'],
    ['pictures/background.png', Buffer.concat([picture, Buffer.alloc(400_000)]), 'bytes'],
  ])('is explained: %s', async (file, content, sentence) => {
    await put(file, content);
    const found = await faults();
    expect(found).toEqual([expect.stringContaining(sentence)]);
  });

  it('ignores files of systems, editors and version control, and a README', async () => {
    for (const file of ['.DS_Store', '.git/HEAD', 'brand.yaml~', 'README.md', 'pictures/Thumbs.db', 'words/.en.po.swp'])
      await put(file, 'x');
    // an unreadable neighbouring folder does not affect this brand
    await symlink('loop', join(acme.folder, '../loop'));
    expect(await faults()).toEqual([]);
  });

  it('is none where the documents are beside brand.yaml, or in a folder of another name', async () => {
    const nameDocuments = (to: string) =>
      acme.edit('brand.yaml', (text) => text.replace(/^code:/m, `documents: ${to}\n$&`));
    await nameDocuments('./legal/texts');
    await cp(join(acme.folder, 'documents'), join(acme.folder, 'legal/texts'), { recursive: true });
    expect(await faults()).toEqual(['documents:1: is not read, because documents in brand.yaml is ./legal/texts']);
    await rm(join(acme.folder, 'documents'), { recursive: true });
    expect(await faults()).toEqual([]);
    await acme.edit('brand.yaml', (text) => text.replace('./legal/texts', '.'));
    await cp(join(acme.folder, 'legal/texts'), acme.folder, { recursive: true });
    await rm(join(acme.folder, 'legal'), { recursive: true });
    expect(await faults()).toEqual([]);
  });

  it('is explained where a document of a language is missing, and where one is not UTF-8', async () => {
    await rm(join(acme.folder, 'documents/terms.pt.md'));
    await put('documents/help.pt.md', Buffer.from('---\nupdated: 2026-11-01\n---\n\n# Ajuda à mão\n', 'latin1'));
    expect((await faults()).sort()).toEqual([
      'documents/help.pt.md:5: is not UTF-8 here; save it as UTF-8 in the editor',
      'documents/terms.pt.md:1: is missing, and every language of the brand has this document: write it, or remove pt from the languages',
    ]);
  });

  it('is none where files have a byte order mark and the line ends of Windows', async () => {
    await put('words/pt.po', 'msgid "All plans"\nmsgstr "Tudo"\n');
    for (const file of ['brand.yaml', 'documents/terms.en.md', 'documents/help.pt.md', 'words/en.po', 'words/pt.po'])
      await acme.edit(file, (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    const { code, out } = await acme.run('brand', 'check', acme.folder);
    expect([code, out]).toEqual([0, []]);
  });

  it('is explained where the folder was copied from another brand, or both claim a host', async () => {
    const copy = join(acme.folder, '../nova');
    await cp(acme.folder, copy, { recursive: true });
    expect(await faults(copy)).toEqual([
      expect.stringMatching(
        /^brand\.yaml:4: code: is acme, and the folder is named nova, and the folder acme beside it has the same code: if the folder is a copy, give it a code of its own; /,
      ),
    ]);
    expect(await faults()).toEqual([]);
    const own = (text: string) =>
      text.replace('code: acme', 'code: nova').replace('[ acme.localhost', '[ ACME.localhost');
    await acme.edit('../nova/brand.yaml', own);
    expect(await faults(copy)).toEqual([
      'brand.yaml:8: hosts[0]: acme.localhost is also a host of acme in the folder acme beside it; a host belongs to one brand',
    ]);
    await acme.edit('../nova/brand.yaml', (text) => text.replaceAll(/acme\.localhost/gi, 'nova.localhost'));
    expect(await faults(copy)).toEqual([]);
    await rename(copy, join(acme.folder, '../other'));
    expect(await faults(join(acme.folder, '../other'))).toEqual([
      expect.stringMatching(/^brand\.yaml:4: code: is nova, and the folder is named other: /),
    ]);
  });

  it('is explained where there is no brand', async () => {
    const other = join(acme.folder, '../empty');
    expect(await faults(other)).toEqual([`brand.yaml:1: is not there: ${other} is no folder`]);
    await mkdir(other);
    expect(await faults(other)).toEqual(['brand.yaml:1: is missing or cannot be read']);
    await writeFile(join(other, 'Brand.yml'), '');
    expect(await faults(other)).toEqual(['brand.yaml:1: is missing or cannot be read; did you mean Brand.yml?']);
    const file = join(acme.folder, 'brand.yaml');
    expect(await faults(file)).toEqual([`brand.yaml:1: is not there: ${file} is a file`]);
  });

  it.each([
    ['stripe', 'cardd', 'USD', /methods\[0\]\.code: stripe has no method cardd, only card, .*; did you mean card\?$/],
    ['stripe', 'pix', 'USD', /methods\[0\]\.currencies: stripe cannot charge pix in USD; it can in BRL$/],
    ['mpesa', 'mpesa', 'USD', /methods\[0\]\.currencies: mpesa cannot charge mpesa in USD; it can in KES$/],
    ['paypal', 'paypal', 'KES', /methods\[0\]\.currencies: paypal cannot charge paypal in KES; it can in AUD, /],
    ['transfer', 'bank', 'USD', /methods\[0\]\.code: transfer has no method bank, only paynow, caishen$/],
    ['coins', 'crypto', 'EUR', /methods\[0\]\.currencies: coins cannot charge crypto in EUR; it can in USD$/],
  ])('is explained where %s cannot charge %s in %s', async (gateway, code, currency, sentence) => {
    await acme.edit('brand.yaml', (text) =>
      text
        .replaceAll('USD', currency)
        .replace('code: card', `code: ${code}\n    details: { receiver: { name: Acme, account: "12" } }`)
        .replace('gateway: sandbox', `gateway: ${gateway}`),
    );
    expect(await faults()).toEqual([expect.stringMatching(sentence)]);
  });
});
