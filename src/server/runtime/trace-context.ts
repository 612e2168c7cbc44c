import { AsyncLocalStorage } from 'node:async_hooks';

/** The W3C trace context of a request (w3.org/TR/trace-context). */
export interface TraceContext {
  /** 32 hexadecimal digits */
  readonly trace: string;
  /** the whole header, as it is passed on */
  readonly header: string;
}

const current = new AsyncLocalStorage<TraceContext>();

/**
 * Reads the header `traceparent`. Undefined without one, and for an invalid one. A later version may have more fields;
 * only those of the first one are passed on.
 */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const fields = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text ?? '');
  const [, version = 'ff', trace = '', parent = '', flags = '', more] = fields ?? [];
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(trace) || /^0+$/.test(parent)) return undefined;
  return { trace, header: `00-${trace}-${parent}-${flags}` };
}

/** Runs a request within its trace context. */
export function withTrace<T>(trace: TraceContext | undefined, act: () => T): T {
  return trace ? current.run(trace, act) : act();
}

/** The header for the requests that this one causes. */
export const traceparent = (): string | undefined => current.getStore()?.header;
