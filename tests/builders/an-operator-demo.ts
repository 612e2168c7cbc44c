import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded, type EmbeddedDatabase } from '#server/db/open-database.ts';
import { serveDatabase } from '#server/db/database-socket.ts';
import type { Deps } from '#server/deps.ts';
import { runOperatorCommand } from '#server/operator/operator.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { aShop, type Shop } from './a-shop.ts';
import type { TestAppOptions } from './test-app.ts';

export interface Said {
  /** the exit code */
  code: number;
  out: string[];
  told: string;
  /** the printed lines parsed as JSON, for a call with `--json` */
  readonly facts: Record<string, unknown>[];
}

export interface OperatorDemo {
  readonly shop: Shop;
  readonly folder: string;
  readonly opened: EmbeddedDatabase;
  /** runs an operator command against the running shop */
  run(...args: string[]): Promise<Said>;
  /** stops accepting connections of commands */
  stopServing(): Promise<void>;
  close(): Promise<void>;
}

/** Runs an operator command in an environment and records its output. */
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

/** Runs an operator command as a client of a database, with a data folder of its own, where its secret is stored. */
export async function runAtDatabase(
  args: readonly string[],
  environment: { readonly DATABASE_URL: string; readonly SANDBOX?: string },
  output: Parameters<typeof runOperatorCommand>[2],
): Promise<number> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'marquee-operator-'));
  try {
    return await runOperatorCommand(args, { DATA_DIR, ...environment }, output);
  } finally {
    await rm(DATA_DIR, { recursive: true, force: true });
  }
}

/** A running demo with an embedded database that operator commands connect to. They share its clock and providers. */
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

/** What the bank of a demo answers to refunds. */
export interface RefundBank {
  /** replaces the answer of the sandbox bank; undefined lets it answer */
  answer: Awaited<ReturnType<PaymentGateway['refund']>> | 'throws' | undefined;
  /** the keys of the requested refunds */
  requests: string[];
}

/** A running demo whose bank answers refunds as a test needs. */
export async function startDemoWithRefunds(): Promise<OperatorDemo & { readonly bank: RefundBank }> {
  const bank: RefundBank = { answer: undefined, requests: [] };
  const demo = await startOperatorDemo({
    deps: ({ gateways }) => {
      const { sandbox } = gateways;
      if (!sandbox) throw new Error('no sandbox');
      const refund: PaymentGateway['refund'] = async (key, left) => {
        bank.requests.push(key);
        if (bank.answer === 'throws') throw new Error('the connection was lost');
        return bank.answer ?? sandbox.refund(key, left);
      };
      return { gateways: { ...gateways, sandbox: { ...sandbox, refund } } };
    },
  });
  return { ...demo, bank };
}
