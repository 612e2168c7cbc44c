import { Agent } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, OpenedDatabase } from '#server/db/connect.ts';
import { openEmbedded, openPostgres } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { createLog } from '#server/runtime/log.ts';
import { insertCustomers, type SignedIn } from '#tests/builders/a-customer.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { startFaultyWire, type FaultyWire } from './faulty-wire.ts';

type DatabaseKind = 'postgres' | 'embedded';

/** A running shop with a faulty proxy to its customers and one to its providers. */
export interface ServerUnderTest {
  readonly server: Pick<ServerProcess, 'port' | 'output'>;
  /** between customers and the shop */
  readonly front: FaultyWire;
  /** between the shop and its providers */
  readonly back: FaultyWire;
  readonly agent: Agent;
  readonly customers: ReadonlyMap<string, readonly SignedIn[]>;
  /** the database of the running shop; undefined for PGlite, which only one process can open */
  readonly beside: Database | undefined;
  /** stops the shop and reads its database */
  stopAndRead<T>(read: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The server as `npm start` runs it, which can be killed. */
export interface ProcessUnderTest extends ServerUnderTest {
  readonly server: ServerProcess;
}

interface TestStore {
  readonly url?: string;
  readonly folder?: string;
  open(): Promise<OpenedDatabase>;
  remove(): Promise<void>;
}

/** Starts the server in a child process. Requires a build. */
export async function openServerUnderTest(
  kind: DatabaseKind,
  {
    customers: each,
    brands,
    reconcileAfterSeconds,
    by = (url) => url,
  }: {
    customers: number;
    brands: readonly string[];
    reconcileAfterSeconds: number;
    /** returns the URL by which the shop connects to PostgreSQL, such as that of a proxy */
    by?: (url: string) => string | Promise<string>;
  },
): Promise<ProcessUnderTest> {
  const store = kind === 'postgres' ? await onPostgres() : inFolder();
  const [front, back] = [await startFaultyWire(), await startFaultyWire()];
  const opened = await store.open();
  const customers = new Map<string, SignedIn[]>();
  for (const brand of brands) customers.set(brand, await insertCustomers(opened.db, brand, each, Date.now()));
  if (kind === 'embedded') await opened.close();
  const server = await startServer({
    env: {
      ...(store.url !== undefined && { DATABASE_URL: await by(store.url) }),
      ...(store.folder !== undefined && { DATA_DIR: store.folder }),
      SANDBOX_WIRE: `http://localhost:${back.port}`,
      RECONCILE_AFTER_SECONDS: String(reconcileAfterSeconds),
      LOG_LEVEL: 'error',
      // a shop that is restarted two hundred times compiles its sources once
      NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-proof-code'),
    },
  });
  front.leadTo(server.port);
  back.leadTo(server.port);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    server,
    front,
    back,
    agent,
    customers,
    beside: kind === 'postgres' ? opened.db : undefined,
    stopAndRead: async (read) => {
      await server.stop();
      if (kind === 'postgres') return read(opened.db);
      const again = await store.open();
      try {
        return await read(again.db);
      } finally {
        await again.close();
      }
    },
    close: async () => {
      agent.destroy();
      await server.dispose();
      await Promise.all([front.close(), back.close()]);
      if (kind === 'postgres') await opened.close();
      await store.remove();
    },
  };
}

function inFolder(): TestStore {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-proof-'));
  return {
    folder,
    open: () => openEmbedded(folder, { contents: demoContents }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function onPostgres(): Promise<TestStore> {
  const { url, stop } = await startPostgres();
  return { url, open: () => openPostgres(url, createLog('silent'), { contents: demoContents }), remove: stop };
}
