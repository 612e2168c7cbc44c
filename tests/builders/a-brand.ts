import { demoBrands, insertBrand } from '../../src/server/db/seed.ts';
import type { BrandSeed } from '../../src/server/db/seed/brand-seed.ts';
import type { Database } from '../../src/server/db/connect.ts';

export interface BrandWish {
  readonly code?: string;
  /** without a port */
  readonly host?: string;
  /** which brand of the demonstration it sells like */
  readonly like?: 'lumen' | 'mego' | 'baobab';
  readonly methods?: BrandSeed['methods'];
  readonly coupons?: BrandSeed['coupons'];
}

/** Writes a brand of somebody's own, as an operator would: the one that a shop without a sandbox serves. */
export async function aBrand(
  db: Database,
  { code = 'acme', host = `${code}.test`, like = 'mego', methods, coupons = [] }: BrandWish = {},
): Promise<{ code: string; host: string }> {
  const model = demoBrands.find(({ brand }) => brand.code === like);
  if (!model) throw new Error(`there is no ${like}`);
  const brand = { ...model.brand, code, tenantId: code, name: code.toUpperCase(), origin: `http://${host}` };
  const banners = model.banners.map((banner) => ({ ...banner, id: `${code}-${banner.id}` }));
  await insertBrand(db, { ...model, brand, banners, coupons, hosts: [host], methods: methods ?? model.methods });
  return { code, host };
}
