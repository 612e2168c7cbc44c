import type { BrandRows } from '#server/brand/folder/rows.ts';
import { writeRows } from '#server/brand/folder/write-rows.ts';
import type { Database } from '#server/db/connect.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';

interface BrandOptions {
  readonly code?: string;
  /** without a port */
  readonly host?: string;
  /** the demo brand whose plans and payment methods it copies */
  readonly like?: 'lumen' | 'mego' | 'baobab';
  readonly methods?: BrandRows['methods'];
  readonly coupons?: BrandRows['coupons'];
}

/** Writes an operator's own brand into the database: the brand that a shop without a sandbox serves. */
export async function aBrand(
  db: Database,
  { code = 'acme', host = `${code}.test`, like = 'mego', methods, coupons = [] }: BrandOptions = {},
): Promise<{ code: string; host: string }> {
  const model = demoBrand(like);
  const named = { code, tenantId: code, name: code.toUpperCase(), origin: `http://${host}`, demo: false };
  const banners = model.banners.map((banner) => ({ ...banner, id: `${code}-${banner.id}` }));
  const own = { brand: { ...model.brand, ...named }, banners, coupons, hosts: [host] };
  await writeRows(db, { ...model, ...own, methods: methods ?? model.methods }, undefined);
  return { code, host };
}
