import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { acceptedEncoding, type Encoding } from './page-cache.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** One file of a built site, with its compressed copies from the build. */
export interface SiteFile {
  readonly type: string;
  readonly bodies: ReadonlyMap<Encoding, Bytes>;
}

/** Every file of a built site by its URL path, such as `/assets/index-B.js`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>;

const copies = { '.br': 'br', '.gz': 'gzip' } as const;

/** Reads a built site into memory (a few megabytes), so that the server does not depend on its folder afterwards. */
export async function readSiteFiles(site: string): Promise<SiteFiles> {
  const entries = await readdir(site, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(site.length).replaceAll('\\', '/'));
  const found = new Set(paths);
  const plain = paths.filter((path) => !/\.(br|gz)$/.test(path) || !found.has(path.slice(0, -3)));
  const files = await Promise.all(
    plain.map(async (path): Promise<[string, SiteFile]> => {
      const bodies = new Map<Encoding, Bytes>([['identity', await bytesOf(site, path)]]);
      for (const [end, encoding] of Object.entries(copies)) {
        if (found.has(path + end)) bodies.set(encoding, await bytesOf(site, path + end));
      }
      return [path, { type: getMimeType(path) ?? 'application/octet-stream', bodies }];
    }),
  );
  return new Map(files);
}

const bytesOf = async (site: string, path: string): Promise<Bytes> => new Uint8Array(await readFile(join(site, path)));

/** The text of a file that every build has. Throws where it is missing. */
export function textOf(files: SiteFiles, path: string): string {
  const body = files.get(path)?.bodies.get('identity');
  if (!body) throw new Error(`${path} is missing in the build`);
  return new TextDecoder().decode(body);
}

/** The file as a response, in the best available encoding. */
export function answerFile(file: SiteFile, accepts: string | undefined, headers: Record<string, string>): Response {
  const accepted = acceptedEncoding(accepts);
  const encoding = file.bodies.has(accepted) ? accepted : 'identity';
  const body = file.bodies.get(encoding);
  return new Response(body, {
    headers: {
      'Content-Type': file.type,
      'Content-Length': String(body?.byteLength ?? 0),
      'X-Content-Type-Options': 'nosniff',
      ...(file.bodies.size > 1 && { Vary: 'Accept-Encoding' }),
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      ...headers,
    },
  });
}
