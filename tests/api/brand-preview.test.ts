import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { checkFolder } from '#server/brand/folder/read-folder.ts';
import type { Problem } from '#server/brand/folder/read-yaml.ts';
import { openPreview } from '#server/operator/preview-shop.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { aBrandFolder } from '#tests/builders/a-brand-folder.ts';

it('a preview shows the brand folder without a database, and each change at once', { tags: 'slow' }, async () => {
  const acme = await aBrandFolder();
  const shared = join(acme.folder, '..', 'shared');
  await rename(join(acme.folder, 'documents'), shared);
  await acme.edit('brand.yaml', (text) => `${text}\ndocuments: ../shared\n`);
  const { rows } = await checkFolder(acme.folder);
  if (!rows) throw new Error('the folder has faults');
  const reports: (readonly Problem[])[] = [];
  const changed = () => vi.waitFor(() => expect(reports.length).toBeGreaterThan(0), { timeout: 10_000, interval: 50 });
  const preview = await openPreview(acme.folder, rows, {
    port: await freePort(),
    onChange: (problems) => void reports.push(problems),
    beside: [shared],
  });
  const page = async () => (await fetch(`${preview.origin}/pricing-table`)).text();
  try {
    expect(await page()).toContain('$4.99');
    await acme.edit('brand.yaml', (text) => text.replace('USD: 4.99', 'USD: 5.49'));
    await changed();
    expect(await page()).toContain('$5.49');
    reports.length = 0;
    await acme.edit('../shared/privacy.en.md', (text) => `${text}\nWe count nothing else.\n`);
    await changed();
    expect(await (await fetch(`${preview.origin}/privacy`)).text()).toContain('We count nothing else.');
    reports.length = 0;
    await acme.edit('brand.yaml', (text) => text.replace('days: 30', 'days: many'));
    await changed();
    expect(
      reports
        .flat()
        .map(({ file, message }) => `${file} ${message}`)
        .join(),
    ).toContain('brand.yaml plans[0].days');
    expect(await page()).toContain('$5.49');
  } finally {
    await preview.close();
    await acme.remove();
  }
});
