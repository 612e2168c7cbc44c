import pg from 'pg';
import { DatabaseUnusable, ReadOnlyServer, sentenceOf } from './database-problem.ts';
import { allowDestination } from '#server/runtime/outbound.ts';
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
      problems.push(sentenceOf(error, { ...address, name: target.name }));
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
    const { rows } = await client.query<{ reads: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as reads`,
    );
    if (rows[0]?.reads !== false) throw new ReadOnlyServer();
  } finally {
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
