import type { Context } from 'hono';
import { refuseInput } from './api-error.ts';

/** The whole body, counted while it is read; 413 beyond the limit, before the rest is taken in. */
export async function readBytes(c: Context, maxBytes: number): Promise<Buffer> {
  const announced = c.req.header('content-length');
  if (announced !== undefined && Number(announced) > maxBytes) refuseInput('body', 413);
  if (announced !== undefined) {
    const whole = Buffer.from(await c.req.arrayBuffer());
    return whole.byteLength > maxBytes ? refuseInput('body', 413) : whole;
  }
  const stream: ReadableStream<Uint8Array> | null = c.req.raw.body;
  if (!stream) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) refuseInput('body', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
