import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';
type Body = Uint8Array<ArrayBuffer>;

/** A finished page, in the encodings requested so far. */
export interface StoredPage {
  readonly status: number;
  readonly policy: string;
  readonly bodies: Map<Encoding, Promise<Body>>;
}

/**
 * Pages that are the same for all visitors: one per brand, language and URL. The key contains the catalogue's version,
 * so an outdated price is never served.
 */
export function createPageCache() {
  return new LRUCache<string, StoredPage>({ max: 500, ttl: 60_000 });
}

export function storedPage(status: number, html: string, policy: string): StoredPage {
  return { status, policy, bodies: new Map([['identity', Promise.resolve(new TextEncoder().encode(html))]]) };
}

/** The page's bytes in `encoding`, compressed once. */
export function bodyOf({ bodies }: StoredPage, encoding: Encoding): Promise<Body> {
  const body = bodies.get(encoding) ?? compressed(bodies.get('identity'), encoding);
  bodies.set(encoding, body);
  return body;
}

async function compressed(identity: Promise<Body> | undefined, encoding: Encoding): Promise<Body> {
  const plain = (await identity) ?? new Uint8Array();
  return new Uint8Array(
    encoding === 'br' ? await brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }) : await zip(plain),
  );
}

/** The best encoding that the browser accepts (RFC 9110, 12.5.3). */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (!header) return 'identity';
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(header)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(header) ? 'gzip' : 'identity';
}
