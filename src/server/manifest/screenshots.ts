import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../../contract/fields.ts';
import { webManifest, type ManifestBrand, type Screenshot } from './manifest.ts';

/** The pictures script writes the size into the name: `plans-720x1480.png`. */
const fileName = /^[\w-]+-(\d{2,4})x(\d{2,4})\.png$/;
const tenantFolder = /^[\w-]+$/;

/** The pictures of a brand that ship with the site in `siteFolder`; none where there is no such folder. */
export async function screenshotsOf(tenantId: string, siteFolder: string): Promise<readonly Screenshot[]> {
  if (!tenantFolder.test(tenantId)) return [];
  const names = await readdir(join(siteFolder, 'screenshots', tenantId)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .sort((one, other) => one.localeCompare(other, 'en'))
    .flatMap((name) => {
      const size = fileName.exec(name);
      if (!size) return [];
      return [{ src: `/screenshots/${tenantId}/${name}`, width: Number(size[1]), height: Number(size[2]) }];
    });
}

/** The manifest with the pictures that exist. The site's files do not change while it is served: ask once. */
export function createManifests(siteFolder: string) {
  const known = new Map<string, Promise<readonly Screenshot[]>>();
  return async (brand: ManifestBrand, language: Language) => {
    const pictures = known.get(brand.tenantId) ?? screenshotsOf(brand.tenantId, siteFolder);
    known.set(brand.tenantId, pictures);
    return webManifest(brand, language, await pictures);
  };
}
