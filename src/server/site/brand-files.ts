import { and, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { brandPictures } from '#server/db/schema/brands.ts';
import type { Deps } from '#server/deps.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import * as v from 'valibot';
import type { Brand } from '#server/brand/catalog.ts';

/** For all brands together, in bytes. */
const keptBytes = 16_000_000;

/** An SVG that is opened directly is a document of the brand's origin: it may load and run nothing. */
const ofDrawings = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Serves the brand's own pictures at the addresses where the demo brands have the storefront's. The addresses stay the
 * same when a picture changes, so caches must revalidate.
 */
export function mountBrandPictures(app: App, { db }: Pick<Deps, 'db'>): void {
  const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: keptBytes,
    sizeCalculation: (bytes) => bytes.byteLength + 1,
  });

  async function bytesOf(brand: string, path: string, hash: string) {
    const known = kept.get(hash);
    if (known) return known;
    const [row] = await db
      .select({ bytes: brandPictures.bytes })
      .from(brandPictures)
      .where(and(eq(brandPictures.brand, brand), eq(brandPictures.path, path), eq(brandPictures.hash, hash)));
    const bytes = row && new Uint8Array(row.bytes);
    if (bytes) kept.set(hash, bytes);
    return bytes;
  }

  for (const folder of ['/icons/*', '/screenshots/*']) {
    app.get(folder, async (c, next) => {
      const brand = c.get('brand');
      const picture = brand.pictures?.get(c.req.path);
      if (!picture) return next();
      c.set('route', folder);
      const tag = `"${picture.hash}"`;
      const headers = {
        'Cache-Control': 'no-cache',
        ETag: tag,
        ...(picture.type === 'image/svg+xml' && { 'Content-Security-Policy': ofDrawings }),
      };
      if (c.req.header('If-None-Match') === tag) return new Response(null, { status: 304, headers });
      const bytes = await bytesOf(brand.code, c.req.path, picture.hash);
      // changed at this very moment: the next refresh of the catalogue knows it
      if (!bytes) return c.text('Not found', 404);
      return new Response(bytes, { headers: { ...headers, 'Content-Type': picture.type } });
    });
  }
}

const path = '/.well-known/security.txt';
const dayMs = 86_400_000;
/** How many days the file is valid; RFC 9116, 2.5.5, recommends less than a year. */
const goodForDays = 180;

/** One line of printable characters, so that a row can add no field of its own (RFC 9116, 2.5.3). */
const contactSchema = v.pipe(
  v.string(),
  v.maxLength(200),
  v.regex(/^(mailto:[!-~]+@[!-~]+|https:\/\/[!-~]+|tel:\+?[\d-]+)$/),
);

/** GET /.well-known/security.txt: how to report a vulnerability to a brand; 404 if its row has no contact. */
export function mountSecurityTxt(app: App, { clock }: Pick<Deps, 'clock'>): void {
  app.get(path, (c) => {
    c.set('route', path);
    const brand = c.get('brand');
    const contact = v.safeParse(contactSchema, brand.securityContact);
    if (!contact.success) return c.text('Not found', 404);
    c.header('Cache-Control', 'public, max-age=86400');
    return c.text(securityTxt(contact.output, brand, clock()));
  });
}

function securityTxt(contact: string, { origin, config }: Brand, now: number): string {
  // whole days, so that all processes return the same
  const expires = new Date((Math.ceil(now / dayMs) + goodForDays) * dayMs).toISOString();
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    `Preferred-Languages: ${config.langs.join(', ')}`,
    `Canonical: ${origin}${path}`,
    '',
  ].join('\n');
}
