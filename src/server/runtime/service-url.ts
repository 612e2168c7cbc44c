/**
 * The address of a service as an operator writes it: `scheme://user:password@host:port/path?name=value`. A generated
 * password often contains `/`, `#`, `@`, `?` or brackets, at which the standard URL parser stops or reads another host.
 */
export interface ServiceUrl {
  /** in lower case: schemes are case-insensitive (RFC 3986, section 3.1) */
  readonly scheme: string;
  /** decoded; undefined where the text has no user */
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly hosts: readonly ServiceHost[];
  /** as written, without its slash */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface ServiceHost {
  /** an IPv6 address is in brackets; empty where a parameter names the host */
  readonly host: string;
  readonly port: string;
}

const host = String.raw`(?:\[[\da-fA-F:.%]+\]|[^\s/?#@:,[\]]+)(?::\d{0,5})?`;
const afterUser = new RegExp(
  String.raw`^(?<hosts>(?:${host}(?:,${host})*)?)(?:/(?<path>[^/?#@]*))?(?:\?(?<query>[^#]*))?$`,
);

/**
 * Parses such an address; undefined where it is invalid. Only an `@` followed by hosts, a path and parameters that
 * `isParameter` knows can end the user and password. The first such `@` does.
 */
export function readServiceUrl(text: string, isParameter: (name: string) => boolean): ServiceUrl | undefined {
  const [, scheme, rest] = /^([a-z]+):\/\/(.*)$/is.exec(text.trim()) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const ends = [...rest.matchAll(/@/g)].map(({ index }) => index);
  for (const end of [undefined, ...ends]) {
    const found = afterUser.exec(end === undefined ? rest : rest.slice(end + 1))?.groups;
    if (!found) continue;
    const query = new URLSearchParams(found['query']);
    if (![...query.keys()].every(isParameter)) continue;
    const [user, ...password] = end === undefined ? [] : rest.slice(0, end).split(':');
    return {
      scheme: scheme.toLowerCase(),
      user: user === undefined ? undefined : decodePercent(user),
      password: password.length === 0 ? undefined : decodePercent(password.join(':')),
      hosts: (found['hosts'] ?? '').split(',').map(readHost),
      path: found['path'] ?? '',
      query,
    };
  }
  return undefined;
}

/**
 * The first parameter that `isParameter` does not know. Only the part after the last `@` is searched: the password
 * before it may contain `?` and `=` and must not be repeated.
 */
export function unknownParameter(text: string, isParameter: (name: string) => boolean): string | undefined {
  const address = text.slice(text.lastIndexOf('@') + 1);
  const query = /^[^?#]*\?([^#]*)$/.exec(address)?.[1];
  const names = [...new URLSearchParams(query).keys()];
  return names.find((name) => /^[\w.-]{1,60}$/.test(name) && !isParameter(name));
}

function readHost(written: string): ServiceHost {
  const [, name = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(written) ?? [];
  return { host: name, port };
}

/** Decodes `%2F` and the like; a percent sign that encodes nothing belongs to the password itself. */
function decodePercent(written: string): string {
  return written.replace(/(?:%[\da-fA-F]{2})+/g, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** The same address for one of its hosts, in the form that every URL parser reads. */
export function writeServiceUrl(url: ServiceUrl, { host: name, port }: ServiceHost): string {
  const { scheme, user, password, path, query } = url;
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const owner = user === undefined ? '' : `${encodeURIComponent(user)}${secret}@`;
  const parameters = query.size > 0 ? `?${query.toString()}` : '';
  return `${scheme}://${owner}${name}${port && `:${port}`}${path && `/${path}`}${parameters}`;
}
