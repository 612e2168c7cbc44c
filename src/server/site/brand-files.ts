import { and, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { brandPictures } from '#server/db/schema/brands.ts';
import type { Deps } from '#server/deps.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import * as v from 'valibot';
import type { Brand } from '#server/brand/catalog.ts';
import { appOf } from '#server/brand/folder/default-rules.ts';
import { languageAlternates } from '#contract/brand.ts';
import { paths } from '#contract/paths.ts';

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

const securityTxtPath = '/.well-known/security.txt';
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
  app.get(securityTxtPath, (c) => {
    c.set('route', securityTxtPath);
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
    `Canonical: ${origin}${securityTxtPath}`,
    '',
  ].join('\n');
}

export const sitemapPath = '/sitemap.xml';

/** Files that browsers and search engines request by a fixed name, besides those of the build. */
export function mountFixedNames(app: App): void {
  app.get(sitemapPath, (c) => {
    c.set('route', sitemapPath);
    c.header('Content-Type', 'application/xml; charset=utf-8');
    c.header('Cache-Control', 'public, max-age=3600');
    return c.body(sitemapOf(c.get('brand'), c.get('origin')));
  });
  // requested by old browsers, readers of feeds and search engines, which all accept a PNG
  redirect(app, '/favicon.ico', ({ tenantId }) => `/icons/${encodeURIComponent(tenantId)}/icon-192.png`);
  // https://w3c.github.io/webappsec-change-password-url/: password managers open it
  redirect(app, '/.well-known/change-password', () => '/settings');
  app.get(assetLinksPath, (c) => {
    c.set('route', assetLinksPath);
    const links = assetLinksOf(c.get('brand'));
    if (!links) return c.text('Not found', 404);
    c.header('Cache-Control', 'public, max-age=3600');
    return c.json(links);
  });
}

const assetLinksPath = '/.well-known/assetlinks.json';

/** Lets the brand's Android app open links of the storefront and share its passkeys (Digital Asset Links, v1). */
function assetLinksOf({ config }: Brand) {
  const { intent, certificates } = appOf(config) ?? {};
  const [, packageName] = /;package=([\w.]+);/.exec(intent ?? '') ?? [];
  if (packageName === undefined || !certificates?.length) return undefined;
  return [
    {
      relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
      target: { namespace: 'android_app', package_name: packageName, sha256_cert_fingerprints: certificates },
    },
  ];
}

function redirect(app: App, from: string, to: (brand: Brand) => string): void {
  app.get(from, (c) => {
    c.set('route', from);
    c.header('Cache-Control', 'public, max-age=86400');
    return c.redirect(to(c.get('brand')), 302);
  });
}

/** The public pages that search engines may show; pages of the login are found from them. */
const listedPages = Object.entries(paths).flatMap(([path, row]) =>
  row.kind === 'page' && row.layout === 'main' && !('noReturn' in row) && !path.includes('{') ? [path] : [],
);

/** The public pages of a brand in each of its languages (https://www.sitemaps.org/protocol.html). */
function sitemapOf({ config, plans }: Brand, origin: string): string {
  const pages = [...listedPages, ...plans.map(({ id }) => `/plan-details/${id}`)];
  const entries = pages.flatMap((page) => {
    const alternates = languageAlternates(origin + page, config);
    const links = alternates.map(
      ([code, url]) => `<xhtml:link rel="alternate" hreflang="${code}" href="${xml(url)}"/>`,
    );
    // the default language and `x-default` have the same URL
    const urls = new Set(alternates.map(([, url]) => url));
    return [...urls].map((url) => `<url><loc>${xml(url)}</loc>${links.join('')}</url>`);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`;
}

const xml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
