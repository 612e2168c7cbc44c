import * as v from 'valibot';
import {
  readServiceUrl,
  unknownParameter,
  writeServiceUrl,
  type ServiceHost,
  type ServiceUrl,
} from '#server/runtime/service-url.ts';

/** One server of `DATABASE_URL`. */
export interface DatabaseTarget {
  /** host and port for messages to the operator; never a secret */
  readonly name: string;
  /** an IPv6 address without brackets, or the folder of a socket */
  readonly host: string;
  readonly port: number;
  /** in the format of `pg` */
  readonly url: string;
}

export interface DatabaseAddress {
  readonly targets: readonly [DatabaseTarget, ...DatabaseTarget[]];
  /**
   * whether a server has to be writable before it is used: with several hosts, or where `target_session_attrs` requires
   * it
   */
  readonly choosesPrimary: boolean;
  readonly user: string | undefined;
  readonly database: string;
}

/** Parameters of libpq (PostgreSQL 18, section 32.1.2) and those that node-postgres adds. */
const parameters = new Set(
  (
    'host hostaddr port dbname user password passfile connect_timeout client_encoding options application_name ' +
    'fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout replication ' +
    'gssencmode sslmode requiressl sslnegotiation sslcompression sslcert sslkey sslpassword sslcertmode sslrootcert sslcrl ' +
    'sslcrldir sslsni requirepeer ssl_min_protocol_version ssl_max_protocol_version min_protocol_version channel_binding ' +
    'max_protocol_version krbsrvname gsslib gssdelegation service target_session_attrs load_balance_hosts require_auth ' +
    'ssl uselibpqcompat statement_timeout lock_timeout query_timeout idle_in_transaction_session_timeout encoding ' +
    'pgbouncer schema'
  ).split(' '),
);

const onlyReads = new Set(['read-only', 'standby', 'prefer-standby']);
const attributes = new Set(['any', 'read-write', 'primary', ...onlyReads]);

/** Parses `DATABASE_URL`; returns one sentence about the problem where it is invalid. */
export function readDatabaseUrl(text: string): DatabaseAddress | string {
  const isParameter = (name: string) => parameters.has(name);
  const url = readServiceUrl(text, isParameter);
  const unknown = url || !/^\s*postgres(ql)?:/i.test(text) ? undefined : unknownParameter(text, isParameter);
  if (unknown !== undefined) return `has the parameter ${unknown}, which PostgreSQL does not know`;
  if (!url || !/^postgres(ql)?$/.test(url.scheme)) return 'must be postgres://user:password@host:5432/name';
  const wanted = url.query.get('target_session_attrs') ?? undefined;
  if (wanted !== undefined && !attributes.has(wanted)) {
    return `has target_session_attrs=${wanted}, which PostgreSQL does not know; set it to read-write`;
  }
  if (wanted !== undefined && onlyReads.has(wanted)) {
    return `has target_session_attrs=${wanted}, but the shop writes; set it to read-write`;
  }
  const hosts = hostsOf(url);
  const bad = hosts.find(({ port }) => Number(port) > 65_535);
  if (bad) return `has the port ${bad.port}, and ports end at 65535`;
  const [first = { host: '', port: '' }, ...others] = hosts;
  const toTarget = (host: ServiceHost) => targetOf(url, host, hosts.length > 1);
  return {
    targets: [toTarget(first), ...others.map(toTarget)],
    choosesPrimary: hosts.length > 1 || (wanted !== undefined && wanted !== 'any'),
    user: url.user ?? url.query.get('user') ?? undefined,
    database: url.path || (url.query.get('dbname') ?? ''),
  };
}

/** The schema of `DATABASE_URL`. */
export const databaseUrlSetting = v.pipe(
  v.string(),
  v.trim(),
  v.rawCheck(({ dataset, addIssue }) => {
    const address = dataset.typed ? readDatabaseUrl(dataset.value) : '';
    if (typeof address === 'string') addIssue({ message: address });
  }),
);

/** Several hosts are in the authority part, or in libpq's other form: `?host=a,b&port=5432,5433`. */
function hostsOf({ hosts, query }: ServiceUrl): readonly ServiceHost[] {
  const named = query.get('host')?.split(',') ?? [];
  if (named.length < 2) return hosts;
  const ports = query.get('port')?.split(',') ?? [];
  return named.map((host, index) => ({
    host: host.includes(':') ? `[${host}]` : host,
    port: ports[index] ?? ports[0] ?? '',
  }));
}

function targetOf(url: ServiceUrl, { host, port }: ServiceHost, isOneOfMany: boolean): DatabaseTarget {
  const query = new URLSearchParams(url.query);
  query.delete('target_session_attrs');
  query.delete('load_balance_hosts');
  if (isOneOfMany) for (const name of ['host', 'port']) query.delete(name);
  // node-postgres verifies the certificate in all of these modes, and warns about all but the last
  if (/^(prefer|require|verify-ca)$/.test(query.get('sslmode') ?? '') && query.get('uselibpqcompat') !== 'true') {
    query.set('sslmode', 'verify-full');
  }
  const place = host.replace(/^\[(.*)\]$/, '$1') || (query.get('host') ?? 'localhost');
  const number = Number(port || (query.get('port') ?? 5432));
  return {
    name: `${host || place}:${number}`,
    host: decodeURIComponent(place),
    port: number,
    url: writeServiceUrl({ ...url, query }, { host, port }),
  };
}
