import { pino, type DestinationStream, type Logger, type SerializedError } from 'pino';

export type { Logger };

/** Structured log lines, by default on standard output. Only named fields are logged: no query, no body, no token. */
export function createLog(level: string, to: DestinationStream = standardOutput()): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: withoutValues } }, to);
}

function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 0 });
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
