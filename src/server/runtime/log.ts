import { pino, type DestinationStream, type Logger, type SerializedError } from 'pino';

export type { Logger };

/** Structured log lines, by default on standard output. Only named fields are logged: no query, no body, no token. */
export function createLog(level: string, to: DestinationStream = standardOutput()): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: withoutValues } }, to);
}

const mostWaiting = 16 * 1024 * 1024;

/*
 * `process.stdout` and not `pino.destination`: with sonic-boom 4.2.1 a process never ends whose reader has gone while lines
 * wait, because its last flush repeats the failed write for ever. Writes to a pipe do not block. Lines that nobody reads
 * are dropped when 16 MiB wait, or memory would run out.
 */
function standardOutput(): DestinationStream {
  const { stdout } = process;
  let dropped = 0;
  return {
    write: (line) => {
      if (stdout.writableLength > mostWaiting) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const time = pino.stdTimeFunctions.isoTime();
        stdout.write(`{"level":40${time},"dropped":${dropped},"msg":"lines were dropped"}\n`);
      }
      dropped = 0;
      stdout.write(line);
    },
  };
}

/** Lets the shop go on when its log cannot be written, and says so once on standard error. */
export function outliveLog(): void {
  process.stdout.once('error', ({ message }) =>
    process.stderr.write(`Lines of the log are lost, because standard output cannot be written: ${message}.\n`),
  );
  // the log is complete again when a full disk has space again
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
}

const flushMs = 2000;

/** Resolves when the log is written, or after 2 s in which nobody reads it. */
export async function flushLog(): Promise<void> {
  const written = new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  await Promise.race([written, new Promise<void>((resolve) => setTimeout(resolve, flushMs))]);
}

const queryFailed = /^Failed query:/;

/**
 * An error for the log: its type, stack frames and cause. Drizzle puts a failed statement with all its values into
 * message and stack, and a value can be a code, a link or an address: such text is omitted, and so are the fields in
 * which drivers repeat a row.
 */
export function withoutValues(error: unknown): SerializedError | string {
  if (!(error instanceof Error)) return typeof error;
  const { name, stack = '', cause } = error;
  const message = queryFailed.test(error.message) ? 'a statement failed' : error.message;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: name,
    message,
    stack: [`${name}: ${message}`, ...frames].join('\n'),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(cause instanceof Error && { cause: withoutValues(cause) }),
  } as SerializedError; // as: pino's type requires the raw error as a field, which must not be logged
}
