import { messages, protocol, type PGlite, type QueryOptions, type Results, types } from '@electric-sql/pglite';
import { takeTurns } from './take-turns.ts';

interface Statement {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

const keptStatements = 400;
/** Runs until all plans are made anew: an embedded database has no autovacuum that would notice how tables grow. */
const runsPerPlan = 2000;
const { serialize } = protocol;

/**
 * Makes an embedded database keep its statements. PGlite parses and plans each query anew and crosses into WebAssembly
 * five times for it; a statement that is kept is planned once and runs in one crossing, which is most of the cost of a
 * small one. PostgreSQL's own rules hold: a plan follows its tables, the text is the key, and a statement outlives the
 * transaction that first needed it. Texts beyond the limit run unkept, so that a query with a list in it cannot fill the
 * memory.
 *
 * `_runExclusiveTransaction` is the one private part of PGlite that is used here: nothing public keeps a statement out of
 * somebody else's transaction. Without this file a payment takes twice as long: 0.15 to 0.19 times the bare inserts per
 * second, where 0.25 is the target, against 0.37 to 0.48 with it.
 */
export function keepStatements(client: PGlite): void {
  spellBytes(client);
  const { isKept, run, renewPlans } = statementsOf(client);
  const query = client.query.bind(client);
  const transaction = client.transaction.bind(client);
  client.query = async <T>(text: string, parameters: unknown[] = [], options?: QueryOptions): Promise<Results<T>> => {
    if (!isKept(text, options)) return query<T>(text, parameters, options);
    await client.waitReady;
    return client._runExclusiveTransaction(() =>
      client.runExclusive(async () => {
        await renewPlans();
        const result = await run(text, parameters, options);
        await client.syncToFs();
        // as: the caller names the shape of a row, here as in PGlite's own query
        return result as Results<T>;
      }),
    );
  };
  client.transaction = (work) =>
    transaction((tx) => {
      const own = tx.query.bind(tx);
      tx.query = async <T>(text: string, parameters: unknown[] = [], options?: QueryOptions): Promise<Results<T>> => {
        // PGlite says itself of a transaction that it has ended
        if (tx.closed || !isKept(text, options)) return own<T>(text, parameters, options);
        // as: the caller names the shape of a row
        return client.runExclusive(() => run(text, parameters, options)) as Promise<Results<T>>;
      };
      return work(tx);
    });
  takeTurns(client);
}

/** The statements that a database keeps, and how one of them runs; nothing else may talk to the database meanwhile. */
function statementsOf(client: PGlite) {
  const statements = new Map<string, Statement>();
  let runs = 0;
  return {
    isKept: (text: string, options: QueryOptions | undefined) =>
      !options?.blob && (statements.size < keptStatements || statements.has(text)),
    run: async (text: string, parameters: readonly unknown[], options: QueryOptions | undefined) => {
      runs += 1;
      const statement = statements.get(text) ?? (await prepare(client, text, statements.size));
      statements.set(text, statement);
      const values = statement.parameterTypes.map((type, index) => toText(client, type, parameters[index], options));
      const call = [serialize.bind({ statement: statement.name, values }), serialize.execute({}), serialize.sync()];
      const answers = await client.execProtocolStream(Buffer.concat(call), { syncToFs: false });
      return resultOf(client, statement, answers, options);
    },
    /** Not within a transaction: one that has failed would refuse it, and then its own end. */
    renewPlans: async () => {
      if (runs < runsPerPlan) return;
      runs = 0;
      await client.execProtocolStream(serialize.query('discard plans'), { syncToFs: false });
    },
  };
}

async function prepare(client: PGlite, text: string, count: number): Promise<Statement> {
  const name = `kept_${count}`;
  const call = [serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()];
  const answers = await client.execProtocolStream(Buffer.concat(call), { syncToFs: false });
  const parameterTypes =
    answers.find((answer) => answer instanceof messages.ParameterDescriptionMessage)?.dataTypeIDs ?? [];
  const fields = answers.find((answer) => answer instanceof messages.RowDescriptionMessage)?.fields ?? [];
  return { name, parameterTypes, fields };
}

function toText(client: PGlite, type: number, value: unknown, options: QueryOptions | undefined): string | null {
  if (value === null || value === undefined) return null;
  const serializer = options?.serializers?.[type] ?? client.serializers[type];
  // as: a type without a serializer is handed over as text, as in PGlite's own query
  return serializer ? serializer(value) : (value as string);
}

function resultOf(
  client: PGlite,
  { fields }: Statement,
  answers: Awaited<ReturnType<PGlite['execProtocolStream']>>,
  options: QueryOptions | undefined,
): Results<unknown> {
  const read = fields.map(({ dataTypeID }): ((text: string) => unknown) => {
    return options?.parsers?.[dataTypeID] ?? client.parsers[dataTypeID] ?? String;
  });
  const rows: unknown[] = [];
  let affectedRows = 0;
  for (const answer of answers) {
    if (answer instanceof messages.DataRowMessage) {
      const values = answer.fields.map((text, index) => (text === null ? null : read[index]?.(text)));
      rows.push(
        options?.rowMode === 'array'
          ? values
          : Object.fromEntries(fields.map(({ name }, index) => [name, values[index]])),
      );
    } else if (answer instanceof messages.CommandCompleteMessage) {
      affectedRows = affectedBy(answer.text);
    }
  }
  return { rows, fields: [...fields], affectedRows };
}

/** `INSERT 0 3`, `UPDATE 2`: the last word counts, but not what a select returned. */
function affectedBy(command: string): number {
  return command.startsWith('SELECT') ? 0 : Number(/\d+$/.exec(command)?.[0] ?? 0);
}

/**
 * Lets Node spell bytes for an embedded database. PGlite spells them one by one in JavaScript: a picture of 4 MiB would
 * hold the whole server up for a second, and this takes a hundredth of it.
 */
export function spellBytes(client: Pick<PGlite, 'serializers' | 'parsers'>): void {
  client.serializers[types.BYTEA] = (value: unknown) => {
    if (!(value instanceof Uint8Array)) throw new TypeError('bytes must be a Uint8Array');
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  };
  client.parsers[types.BYTEA] = (text: string) => Buffer.from(text.slice(2), 'hex');
}
