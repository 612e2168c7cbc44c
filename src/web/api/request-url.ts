import type { Endpoint } from '../../contract/endpoint.ts';

/** What a call carries, without its endpoint's types. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly file?: unknown;
}

/** Path and query of a call. A value is one segment whatever it holds; undefined values are left out. */
export function requestUrl({ path }: Pick<Endpoint, 'path'>, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]]));
  const search = new URLSearchParams(pairs).toString();
  return search ? `${filled}?${search}` : filled;
}

/** The schemas of paths and queries hold plain values only. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('A path or query holds plain values only');
}
