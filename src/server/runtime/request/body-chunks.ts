import { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

interface Reading {
  /** receives each part of the body; an exception ends the reading */
  readonly take: (chunk: Uint8Array) => void;
  readonly timeMs: number;
  readonly late: () => Error;
}

/** Reads the body of a request until its end or until `timeMs` have passed. */
export async function chunksOf(c: Context, { take, timeMs, late }: Reading): Promise<void> {
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
