import { readBrandFolder } from '#server/brand/folder/read-folder.ts';
import type { BrandRows } from '#server/brand/folder/rows.ts';
import { writeRows } from '#server/brand/folder/write-rows.ts';
import type { Database } from '#server/db/connect.ts';
import { demoBrandsFolder } from './demo-brands-folder.ts';

const codes = ['lumen', 'mego', 'baobab'] as const;
let read: readonly BrandRows[] | undefined;

/** The demo brands, read once. */
export function demoBrands(): readonly BrandRows[] {
  return (read ??= codes.map((code) => {
    const { rows, problems } = readBrandFolder(`${demoBrandsFolder}/${code}`);
    if (!rows)
      throw new Error(problems.map(({ file, line = 1, message }) => `${code}/${file}:${line} ${message}`).join('\n'));
    return { ...rows, brand: { ...rows.brand, demo: true } };
  }));
}

export function demoBrand(code: (typeof codes)[number]): BrandRows {
  const [rows] = demoBrands().filter(({ brand }) => brand.code === code);
  if (!rows) throw new Error(`there is no ${code}`);
  return rows;
}

/** Inserts the demo brands into a database without brands. */
export async function writeDemoBrands(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    for (const rows of demoBrands()) await writeRows(tx, rows, undefined);
  });
}
