import type { Endpoint } from '../../contract/endpoint.ts';

/** What a call carries, without its endpoint's types. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Path and query of a call. A value is one segment whatever it holds; undefined values are left out. */
export function requestUrl({ path }: Pick<Endpoint, 'path'>, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(pairs).toString();
  return search ? `${filled}?${search}` : filled;
}
