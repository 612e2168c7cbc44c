import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '#contract/fields.ts';
import type { ColorMode } from '#contract/page-colors.ts';
import { webManifest, type ManifestBrand, type Screenshot } from './manifest.ts';

/** The pictures script writes into the name where it stands, what it shows and its size: `2-plans-720x1480.png`. */
const fileName = /^(?:\d-)?([\w-]+)-(\d{2,4})x(\d{2,4})\.png$/;
const tenantFolder = /^[\w-]+$/;

/** The pictures of a brand that ship with the site in `siteFolder`; none where there is no such folder. */
export async function screenshotsOf(tenantId: string, siteFolder: string): Promise<readonly Screenshot[]> {
  if (!tenantFolder.test(tenantId)) return [];
  const names = await readdir(join(siteFolder, 'screenshots', tenantId)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return named(tenantId, names);
}

function named(tenantId: string, names: readonly string[]): readonly Screenshot[] {
  return names
    .toSorted((one, other) => one.localeCompare(other, 'en'))
    .flatMap((name) => {
      const size = fileName.exec(name);
      if (!size) return [];
      const [, shows = '', width, height] = size;
      return [{ src: `/screenshots/${tenantId}/${name}`, shows, width: Number(width), height: Number(height) }];
    });
}

/** A brand as the catalogue has it; its own pictures, where it has any, stand for those of the site. */
type PicturedBrand = ManifestBrand & { readonly pictures?: ReadonlyMap<string, unknown> };

function ownScreenshots({ tenantId, pictures = new Map() }: PicturedBrand): readonly Screenshot[] {
  const folder = `/screenshots/${tenantId}/`;
  const own = [...pictures.keys()].filter((path) => path.startsWith(folder));
  return named(
    tenantId,
    own.map((path) => path.slice(folder.length)),
  );
}

/** The manifest with the pictures that exist. The site's files do not change while it is served: ask once. */
export function createManifests(siteFolder: string) {
  const known = new Map<string, Promise<readonly Screenshot[]>>();
  return async (brand: PicturedBrand, language: Language, mode: ColorMode = 'light') => {
    const own = ownScreenshots(brand);
    const pictures = known.get(brand.tenantId) ?? screenshotsOf(brand.tenantId, siteFolder);
    known.set(brand.tenantId, pictures);
    return webManifest(brand, { language, mode, screenshots: own.length > 0 ? own : await pictures });
  };
}
