import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import * as v from 'valibot';

/**
 * [Note: Backup file] One line of JSON, the manifest, and behind it the database's files as a tar, packed by gzip. The
 * manifest counts and hashes what follows, so that a file that was cut short or changed on its way is told from a whole
 * one before anything is opened.
 */
const manifestSchema = v.object({
  format: v.literal('marquee backup 1'),
  /** epoch milliseconds */
  at: v.number(),
  /** when the last migration that it has had was made: epoch milliseconds */
  schema: v.number(),
  /** the PostgreSQL inside of the shop, such as `17.5` */
  postgres: v.string(),
  /** of a demonstration, where payments are pretended */
  sandbox: v.boolean(),
  /** tells whether another signing secret is the one of this shop, and nothing about it */
  secretCheck: v.string(),
  brands: v.array(v.string()),
  /** rows by table, of those that an operator asks for first */
  counts: v.record(v.string(), v.number()),
  bytes: v.number(),
  /** of those bytes, hex */
  sha256: v.string(),
});
export type Manifest = v.InferOutput<typeof manifestSchema>;
export type ManifestFacts = Omit<Manifest, 'format' | 'bytes' | 'sha256'>;

/** It is no backup, or not a whole one; the message says which. */
export class BadBackup extends Error {
  override readonly name = 'BadBackup';
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The parts of a file, in their order; it is packed piece by piece, and everybody else has their turn in between. */
export async function packBackup(
  facts: ManifestFacts,
  tar: readonly Uint8Array[],
): Promise<{ manifest: Manifest; parts: readonly Uint8Array[] }> {
  const packed: Uint8Array[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(Readable.from(tar.filter(({ byteLength }) => byteLength > 0)), createGzip(), async (pieces) => {
    // as: what gzip writes without an encoding
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      packed.push(piece);
      hash.update(piece);
      bytes += piece.byteLength;
    }
  });
  const manifest: Manifest = { format: 'marquee backup 1', ...facts, bytes, sha256: hash.digest('hex') };
  return { manifest, parts: [Buffer.from(`${JSON.stringify(manifest)}\n`), ...packed] };
}

const lineSchema = v.pipe(v.string(), v.parseJson(), manifestSchema);
const longestLine = 1024 * 1024;

/** Throws `BadBackup`. */
export async function readBackup(file: Uint8Array): Promise<{ manifest: Manifest; tar: Uint8Array }> {
  const end = file.subarray(0, longestLine).indexOf(10);
  const manifest = v.safeParse(lineSchema, Buffer.from(file.subarray(0, Math.max(0, end))).toString('utf8'));
  if (!manifest.success) throw new BadBackup('it does not begin as a backup of this shop does');
  const packed = file.subarray(end + 1);
  const { bytes, sha256 } = manifest.output;
  if (packed.byteLength !== bytes) throw new BadBackup(`it has ${packed.byteLength} bytes where ${bytes} were written`);
  if (sha256Of(packed) !== sha256) throw new BadBackup('its checksum is another one than when it was written');
  return { manifest: manifest.output, tar: await promisify(gunzip)(packed) };
}
