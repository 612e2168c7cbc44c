import { pino, type Logger } from 'pino';

export type { Logger };

/** Structured lines on standard output. Only named fields are ever logged: no query, no body, no token. */
export function createLog(level: string): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false, minLength: 0 }),
  );
}
