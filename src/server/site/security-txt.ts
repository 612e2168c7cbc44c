import * as v from 'valibot';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from '#server/deps.ts';

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
