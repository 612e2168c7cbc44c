import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { allowDestination } from '#server/runtime/outbound.ts';
import { DatabaseUnusable, isWritable, ReadOnlyServer } from './connect.ts';
import { readDatabaseUrl, type DatabaseAddress, type DatabaseTarget } from './database-url.ts';

/** A server that does not respond within this many milliseconds is skipped. */
const probeMs = 1000;

export function addressOf(url: string): DatabaseAddress {
  const address = readDatabaseUrl(url);
  if (typeof address === 'string') throw new DatabaseUnusable(address);
  for (const target of address.targets) {
    allowDestination(target.host, target.port);
    // the driver prefers the `host` and `port` parameters to those of the URL
    const { searchParams } = new URL(target.url);
    allowDestination(searchParams.get('host') ?? target.host, Number(searchParams.get('port') ?? target.port));
  }
  return address;
}

interface ClientChoice {
  readonly Client: typeof pg.Client;
  readonly connectionString: string;
}

/**
 * node-postgres supports one host per client. Where `DATABASE_URL` names several, each new connection goes to the first
 * writable server, starting with the last one used, so that a promoted standby is found.
 */
export function clientOf(address: DatabaseAddress): ClientChoice {
  const { targets, choosesPrimary } = address;
  const connectionString = targets[0].url;
  if (!choosesPrimary) return { Client: pg.Client, connectionString };
  let last: DatabaseTarget = targets[0];
  const choose = async () => {
    last = await firstWritable(address, last);
    return last;
  };
  return { Client: failoverClient(choose), connectionString };
}

async function firstWritable(address: DatabaseAddress, last: DatabaseTarget): Promise<DatabaseTarget> {
  const failures: unknown[] = [];
  const problems: string[] = [];
  for (const target of [last, ...address.targets.filter((one) => one !== last)]) {
    try {
      await assertWritable(target);
      return target;
    } catch (error) {
      failures.push(error);
      problems.push(describeDatabaseError(error, { ...address, name: target.name }));
    }
  }
  throw new DatabaseUnusable([...new Set(problems)].join('; '), new AggregateError(failures));
}

/** Checks on a separate connection what libpq checks for `target_session_attrs=read-write`. */
async function assertWritable({ url }: DatabaseTarget): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeMs, query_timeout: probeMs });
  // a connection that breaks after its response has nothing to report
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await isWritable(drizzle({ client })))) throw new ReadOnlyServer();
  } finally {
    // the answer is known, and a connection that cannot be closed is already lost
    void client.end().catch(() => undefined);
  }
}

type Callback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** A client that selects its server when it connects. */
function failoverClient(choose: () => Promise<DatabaseTarget>): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<pg.Client> | void {
      // the connection may break before its pool listens
      this.on('error', () => undefined);
      const connecting = choose().then(({ host, port }) => {
        Object.assign(this, { host, port });
        return super.connect();
      });
      if (!callback) return connecting;
      // as: pg calls one function in both cases, with an error or with null
      const done = callback as (error: unknown, client?: pg.Client) => void;
      connecting.then(
        (client) => void setImmediate(done, null, client),
        (error: unknown) => void setImmediate(done, error),
      );
    }
  };
}

type Place = Pick<DatabaseAddress, 'user' | 'database'> & { readonly name: string };

/** By the codes of Node, OpenSSL and PostgreSQL (appendix A). */
const sentences: Readonly<Record<string, (place: Place) => string>> = {
  ECONNREFUSED: ({ name }) => `nothing listens at ${name}; see that PostgreSQL runs there and accepts this machine`,
  ENOTFOUND: ({ name }) => `the host of ${name} is not in the DNS; see that it is spelt as its provider says`,
  EAI_AGAIN: ({ name }) => `the host of ${name} is not in the DNS, or the DNS does not answer`,
  ECONNRESET: ({ name }) =>
    `${name} closes the connection; see that it is PostgreSQL, and whether it wants sslmode=require`,
  EPIPE: ({ name }) => `${name} closes the connection; see that it is PostgreSQL`,
  CERT_HAS_EXPIRED: ({ name }) => `the TLS certificate of ${name} has expired`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ name }) =>
    `the TLS certificate of ${name} is for another host; write the host as the certificate names it`,
  '28P01': ({ user }) =>
    `PostgreSQL refuses the password of the user ${user ?? ''}; if the password contains %, write that as %25`,
  '3D000': ({ database, name }) => `there is no database ${database} at ${name}; create it with \`createdb\``,
  '42501': ({ user }) => `the user ${user ?? ''} may not create tables; make it the owner of the database`,
  '53300': ({ name }) => `${name} has no connection left; raise its max_connections`,
  '57P03': ({ name }) => `${name} is starting or stopping; try again in a moment`,
};

const ownCa = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const byWords: readonly (readonly [RegExp, (place: Place) => string])[] = [
  [
    /unsupported startup parameter/,
    ({ name }) =>
      `the PgBouncer at ${name} refuses the time limits that the shop asks for, so the shop cannot connect; ` +
      `add to pgbouncer.ini: ignore_startup_parameters = statement_timeout, lock_timeout, ` +
      'idle_in_transaction_session_timeout',
  ],
  [/does not support SSL/, ({ name }) => `${name} offers no TLS; turn it on there, or remove sslmode`],
  [/error establishing an SSL|wrong version number/i, ({ name }) => `${name} does not speak TLS as PostgreSQL does`],
  [
    /password must be a/,
    ({ user }) => `PostgreSQL wants a password of the user ${user ?? ''}, and the address has none`,
  ],
  [
    /timeout expired|timeout exceeded|connection timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    ({ name }) => `${name} does not answer; see firewalls between it and this machine`,
  ],
  [/^Connection terminated/, ({ name }) => `${name} closes the connection; see that it is PostgreSQL`],
];

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Why a server cannot be used, in one sentence. */
export function describeDatabaseError(error: unknown, place: Place): string {
  if (error instanceof DatabaseUnusable) return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) return describeDatabaseError(error.errors[0], place);
  if (!(error instanceof Error)) return `${place.name} cannot be used`;
  if (error instanceof ReadOnlyServer) return `${place.name} ${error.message}`;
  const code = codeOf(error);
  const known = sentences[code] ?? byWords.find(([words]) => words.test(code) || words.test(error.message))?.[1];
  if (known) return known(place);
  if (ownCa.has(code)) {
    return (
      `the TLS certificate of ${place.name} is signed by a CA that this machine does not know; ` +
      'save the certificate of that CA in a file and add sslrootcert=/path/to/ca.pem'
    );
  }
  if (code === 'ENOENT' && 'path' in error) return `the file ${String(error.path)} that it names does not exist`;
  return `${place.name} cannot be used: ${error.message.split('\n')[0] ?? ''}`;
}
