import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '#contract/fields.ts';
import type { ColorMode } from '#contract/page-colors.ts';
import { webManifest, type ManifestBrand, type Screenshot } from './manifest.ts';

/** The screenshot script encodes position, subject and size in the name: `2-plans-720x1480.png`. */
const fileName = /^(?:\d-)?([\w-]+)-(\d{2,4})x(\d{2,4})\.png$/;
const tenantFolder = /^[\w-]+$/;

/** The screenshots of a brand in `siteFolder`; none where the folder is missing. */
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

/** A brand of the catalogue; its own screenshots, if any, replace those of the site. */
type PicturedBrand = ManifestBrand & { readonly pictures?: ReadonlyMap<string, unknown> };

function ownScreenshots({ tenantId, pictures = new Map() }: PicturedBrand): readonly Screenshot[] {
  const folder = `/screenshots/${tenantId}/`;
  const own = [...pictures.keys()].filter((path) => path.startsWith(folder));
  return named(
    tenantId,
    own.map((path) => path.slice(folder.length)),
  );
}

/**
 * Creates manifests with the existing screenshots. Files of the site do not change while it is served, so each folder
 * is read once.
 */
export function createManifests(siteFolder: string) {
  const known = new Map<string, Promise<readonly Screenshot[]>>();
  return async (brand: PicturedBrand, language: Language, mode: ColorMode = 'light') => {
    const own = ownScreenshots(brand);
    const pictures = known.get(brand.tenantId) ?? screenshotsOf(brand.tenantId, siteFolder);
    known.set(brand.tenantId, pictures);
    return webManifest(brand, { language, mode, screenshots: own.length > 0 ? own : await pictures });
  };
}
