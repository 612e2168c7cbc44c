import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { ApiRefusal, busy, refuseInput } from './api-error.ts';
import { passBodyGate, type Admission, type BodyGateDeps } from './body-gate.ts';
import type { AppEnv } from './request-context.ts';
import { IncomingMessage } from 'node:http';

/** How long a whole body may take, in milliseconds; the storefront aborts a call after 60 s (contract/limits.ts). */
export const bodyTimeMs = 60_000;
/** JSON and forms have at most 64 KiB, which even a slow phone sends within this time. */
export const smallBodyTimeMs = 20_000;
const smallBytes = 64 * 1024;
/** How much memory all bodies that are being read may use together, in bytes: 64 MiB. */
const budgetBytes = 64 * 1024 * 1024;
let held = 0;

export interface BodyLimits {
  readonly maxBytes: number;
  /** for the whole body, in milliseconds */
  readonly timeMs?: number;
}

/**
 * An endless body would use up memory. So each body has a size limit, a time limit, and a share of a common memory
 * budget: beyond the time it is refused with 408, beyond the budget with `serviceBusy`, and its connection is closed.
 * Every route reads its body by this function or `readBody`, within the body gate.
 */
export async function readBytes(
  c: Context<AppEnv>,
  admission: Admission,
  { maxBytes, timeMs = maxBytes > smallBytes ? bodyTimeMs : smallBodyTimeMs }: BodyLimits,
): Promise<Buffer> {
  try {
    const announced = c.req.header('content-length');
    if (announced !== undefined && Number(announced) > maxBytes) refuseInput('body', 413);
    return await readChunks(c, admission, { maxBytes, timeMs });
  } catch (error) {
    if (error instanceof ApiRefusal) closeAfterAnswer(c);
    throw error;
  }
}

/** The body of a caller without a session, which counts for its network. */
export async function readBody(c: Context<AppEnv>, deps: BodyGateDeps, limits: BodyLimits): Promise<Buffer> {
  return passBodyGate(c, deps, {}, (admission) => readBytes(c, admission, limits));
}

/** The whole body as text. */
export async function readText(c: Context<AppEnv>, deps: BodyGateDeps, limits: BodyLimits): Promise<string> {
  return (await readBody(c, deps, limits)).toString('utf8');
}

/** The fields of a form in either encoding; undefined where the body is not a form. */
export async function readForm(
  c: Context<AppEnv>,
  deps: BodyGateDeps,
  limits: BodyLimits,
): Promise<FormData | undefined> {
  const body = new Uint8Array(await readBody(c, deps, limits));
  const headers = { 'content-type': c.req.header('content-type') ?? '' };
  return new Response(body, { headers }).formData().catch(() => undefined);
}

async function readChunks(
  c: Context<AppEnv>,
  admission: Admission,
  { maxBytes, timeMs }: Required<BodyLimits>,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const take = (chunk: Uint8Array) => {
    size += chunk.byteLength;
    held += chunk.byteLength;
    if (size > maxBytes) refuseInput('body', 413);
    if (held > budgetBytes) {
      admission.refused('body_memory');
      throw busy();
    }
    chunks.push(chunk);
  };
  const late = () => {
    admission.refused('body_time');
    return new ApiRefusal('invalidRequest', { field: 'body' }, 408);
  };
  try {
    await chunksOf(c, { take, timeMs, late });
    return Buffer.concat(chunks);
  } finally {
    held -= size;
  }
}

/** The rest of a refused body is not read: its connection is closed after the response. */
function closeAfterAnswer(c: Context): void {
  // as: `HttpBindings`, which an in-process call does not have
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const { incoming, outgoing } = bindings ?? {};
  outgoing?.once('finish', () => incoming?.destroy());
}

interface Reading {
  /** receives each part of the body; an exception ends the reading */
  readonly take: (chunk: Uint8Array) => void;
  readonly timeMs: number;
  readonly late: () => Error;
}

/** Reads the body of a request until its end or until `timeMs` have passed. */
async function chunksOf(c: Context, { take, timeMs, late }: Reading): Promise<void> {
  // as: `HttpBindings`, which an in-process call does not have
  const { incoming } = (c.env as Partial<HttpBindings> | undefined) ?? {};
  const passed = Promise.withResolvers<never>();
  const timeout = setTimeout(() => passed.reject(late()), timeMs);
  // after the caller disconnected, hono still has what Node had buffered
  const isDirect = incoming instanceof IncomingMessage && !incoming.destroyed && !incoming.readableDidRead;
  const reading = isDirect ? fromNode(incoming, take, passed.promise) : fromStream(c, take, passed.promise);
  try {
    await reading;
  } finally {
    clearTimeout(timeout);
  }
}

/** Node's own stream takes half the time of the web stream around it. */
function fromNode(incoming: IncomingMessage, take: Reading['take'], passed: Promise<never>): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    const stop = () => {
      incoming.pause();
      incoming.off('data', onData);
    };
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const onData = (chunk: Uint8Array) => {
      try {
        size += chunk.byteLength;
        take(chunk);
      } catch (error) {
        fail(error);
      }
    };
    // the whole announced length has arrived, although the connection closed before Node emitted `end`
    const onError = (error: Error) =>
      incoming.complete && String(size) === incoming.headers['content-length'] ? resolve() : fail(error);
    incoming.once('end', resolve);
    incoming.once('error', onError);
    incoming.once('close', () => fail(incoming.errored ?? new Error('aborted')));
    passed.catch(fail);
    incoming.on('data', onData);
  });
}

async function fromStream(c: Context, take: Reading['take'], passed: Promise<never>): Promise<void> {
  const stream: ReadableStream<Uint8Array> | null = c.req.raw.body;
  if (!stream) return;
  const reader = stream.getReader();
  for (;;) {
    const step = await Promise.race([reader.read(), passed]);
    if (step.done) return;
    take(step.value);
  }
}

/** Magic bytes of file types; `at` is the offset in bytes. */
const beginnings: Readonly<Record<string, { readonly at: number; readonly bytes: readonly number[] }>> = {
  'image/jpeg': { at: 0, bytes: [0xff, 0xd8, 0xff] },
  'image/png': { at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  // RIFF, four bytes of length, WEBP
  'image/webp': { at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  'application/pdf': { at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
};

/** The type according to the file's first bytes. */
export function typeOf<Type extends string>(file: Buffer, types: readonly Type[]): Type | undefined {
  return types.find((type) => {
    const beginning = beginnings[type];
    return beginning?.bytes.every((byte, index) => file[beginning.at + index] === byte) ?? false;
  });
}

/**
 * Whether a file contains the end marker of its type: an interrupted upload shows half of a receipt at best. Pixels are
 * not decoded; bytes after the end are allowed, because phones append data there.
 */
export function isCompleteFile(file: Buffer, type: string): boolean {
  return wholes[type]?.(file) ?? true;
}

const wholes: Readonly<Record<string, (file: Buffer) => boolean>> = {
  'image/jpeg': hasJpegEnd,
  'image/png': hasPngEnd,
  // the length counts from after its own field (RFC 9649, 2.4)
  'image/webp': (file) => file.byteLength >= 12 && file.readUInt32LE(4) + 8 <= file.byteLength,
  // "%%EOF" is within the last kilobyte (ISO 32000-1, annex H, 18); some mailers append a signature or blanks
  'application/pdf': (file) => file.subarray(-4096).includes('%%EOF'),
};

/** Chunks of length, name, data and checksum, the last of which is IEND (PNG, 5.3 and 11.2.5). */
function hasPngEnd(file: Buffer): boolean {
  for (let at = 8; at + 12 <= file.byteLength; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return true;
  }
  return false;
}

const jpegEnd = 0xd9;
const jpegScan = 0xda;
/** Markers without a length (ITU-T T.81, B.1.1.3). */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/**
 * Segments of a marker and a length, and after each start of scan its coded data, up to the end-of-image marker (ITU-T
 * T.81, B.2). A thumbnail inside a segment has an end marker of its own, so segments are skipped.
 */
function hasJpegEnd(file: Buffer): boolean {
  let at = 2;
  while (at + 1 < file.byteLength) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return false;
    if (marker === jpegEnd) return true;
    if (marker === 0xff) at += 1;
    else if (standsAlone(marker)) at += 2;
    else if (at + 3 >= file.byteLength) return false;
    else {
      at += 2 + file.readUInt16BE(at + 2);
      if (marker === jpegScan) at = endOfScan(file, at);
    }
  }
  return false;
}

/** The offset of the next marker: within coded data FF is followed by a zero, or by a restart number. */
function endOfScan(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0 && at + 1 < file.byteLength) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = file.indexOf(0xff, at + 2);
  }
  return file.byteLength;
}
