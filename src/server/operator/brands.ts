import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { storedRows } from '#server/brand/folder/stored-rows.ts';
import { filesOfRows } from '#server/brand/folder/write-folder.ts';
import { brandPictures } from '#server/db/schema/brands.ts';
import { changeBrand, changeOptions } from './brand-folders.ts';
import { requireOption, OperatorError, type ShopCommand } from './command.ts';
import { brandOf } from './open-shop.ts';
import { createOperatorFile } from './operator-files.ts';

/** One line each: code, name, hosts, numbers of plans and methods, and remarks. */
export const listBrandsCommand: ShopCommand = {
  name: 'brand list',
  summary: 'lists the brands of the shop',
  options: {},
  inShop: async (_, { settings, deps: { catalog }, row, explain }) => {
    for (const { code, name, hosts, plans, methods } of catalog.all()) {
      const isDefault = code === settings.DEFAULT_BRAND;
      row({ code, name, hosts: hosts.join(' '), plans: plans.length, methods: methods.length, default: isDefault });
    }
    const unserved = catalog.unserved();
    if (unserved.length > 0) explain(`Not served without the sandbox: ${unserved.join(', ')}.`);
  },
};

export const exportBrandCommand: ShopCommand = {
  name: 'brand export',
  summary: 'writes the folder of a brand from the database',
  words: ['code', 'folder'],
  options: {},
  inShop: async (given, { deps, done }) => {
    const [code, folder] = [requireOption(given, 'code'), requireOption(given, 'folder')];
    const rows = await deps.db.transaction((tx) => storedRows(tx, brandOf(deps, code).code));
    if (!rows) throw new OperatorError(`There is no brand ${code}.`);
    const stored = await deps.db
      .select({ path: brandPictures.path, bytes: brandPictures.bytes })
      .from(brandPictures)
      .where(eq(brandPictures.brand, code));
    const files = filesOfRows(rows, new Map(stored.map(({ path, bytes }) => [path, bytes])));
    for (const [name, content] of files) await createOperatorFile(join(folder, name), [Buffer.from(content)]);
    done(`${rows.brand.name} is in ${folder}: ${[...files.keys()].join(', ')}.`, { code, folder });
  },
};

/**
 * Ends the sales of a brand and nothing else: customers keep their accounts, paid access and receipts, pending orders
 * can be paid, and plans no longer renew. Applying its folder reopens it.
 */
export const retireBrandCommand: ShopCommand = {
  name: 'brand retire',
  summary: 'retires a brand: none of its plans can be bought or renewed',
  words: ['code'],
  options: changeOptions,
  inShop: async (given, shop) => {
    const code = requireOption(given, 'code');
    await changeBrand(given, shop, {
      command: 'brand retire',
      code,
      wantedOf: (now) => {
        if (!now) throw new OperatorError(`There is no brand ${code}.`);
        return { ...now, plans: [], banners: [] };
      },
    });
  },
};
