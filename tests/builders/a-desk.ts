import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded, type EmbeddedDatabase } from '#server/db/open-database.ts';
import { serveDatabase } from '#server/db/database-socket.ts';
import type { Deps } from '#server/deps.ts';
import { runOperatorCommand } from '#server/operator/operator.ts';
import { demoContents } from '#sandbox/demonstration.ts';
import { aShop, type Shop } from './a-shop.ts';
import type { TestAppOptions } from './test-app.ts';

export interface Said {
  /** the exit code */
  code: number;
  out: string[];
  told: string;
  /** what was printed, as JSON; of a call with `--json` */
  readonly facts: Record<string, unknown>[];
}

export interface OperatorDemo {
  readonly shop: Shop;
  readonly folder: string;
  readonly opened: EmbeddedDatabase;
  /** gives a command as an operator does, beside the shop that runs */
  run(...args: string[]): Promise<Said>;
  /** commands can no longer connect */
  stopServing(): Promise<void>;
  close(): Promise<void>;
}

/** Gives a command in an environment and notes what is said. */
export async function give(
  args: readonly string[],
  environment: Record<string, string>,
  { clock = Date.now, deps }: { clock?: () => number; deps?: Partial<Deps> } = {},
): Promise<Said> {
  const said: Said = {
    code: -1,
    out: [],
    told: '',
    get facts() {
      return said.out.map((line) => JSON.parse(line) as Record<string, unknown>); // as: a line of JSON is an object here
    },
  };
  said.code = await runOperatorCommand(args, environment, {
    clock,
    deps,
    print: (line) => void said.out.push(line),
    explain: (line) => void (said.told += `${line}\n`),
  });
  return said;
}

/** A demo that runs on an embedded database in a folder, and serves it to commands. They have its clock and its providers. */
export async function startOperatorDemo(options: TestAppOptions = {}): Promise<OperatorDemo> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-desk-'));
  const opened = await openEmbedded(folder, { contents: demoContents });
  const shop = await aShop(opened.db, { ...options, env: { DATA_DIR: folder, ...options.env } });
  const stop = await serveDatabase(opened.client, folder);
  const { db: _own, ...deps } = shop.deps;
  return {
    shop,
    folder,
    opened,
    run: (...args) => give(args, { DATA_DIR: folder, SUDO_USER: 'eva' }, { clock: deps.clock, deps }),
    stopServing: stop,
    close: async () => {
      await stop();
      await opened.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
