import type { Context } from 'hono';
import type { Endpoint, UploadedFile } from '../contract/endpoint.ts';
import { refuseInput } from './api-error.ts';
import { readBytes } from './read-bytes.ts';

/** How files of these types begin; `at` counts bytes from the start. */
const beginnings: Readonly<Record<string, { readonly at: number; readonly bytes: readonly number[] }>> = {
  'image/jpeg': { at: 0, bytes: [0xff, 0xd8, 0xff] },
  'image/png': { at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  // RIFF, four bytes of length, WEBP
  'image/webp': { at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  'application/pdf': { at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
};

/** A body that is one file. What its sender calls it counts for nothing; its own first bytes say what it is. */
export async function readFile(c: Context, { types, maxBytes }: NonNullable<Endpoint['file']>): Promise<UploadedFile> {
  const bytes = await readBytes(c, maxBytes);
  const type = types.find((one) => begins(bytes, one)) ?? refuseInput('file', 415);
  return { type, bytes };
}

function begins(file: Buffer, type: string): boolean {
  const beginning = beginnings[type];
  return beginning?.bytes.every((byte, index) => file[beginning.at + index] === byte) ?? false;
}
