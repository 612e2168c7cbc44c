import type { Server } from 'node:http';
import type { Logger } from '#server/runtime/log.ts';

const patienceMs = 10_000;

/**
 * Stops on Ctrl-C or a supervisor's signal: no new connections, open requests have 10 s to finish, then `close`. A
 * second signal exits at once.
 */
export function stopOnSignal(server: Server, log: Logger, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await finishRequests(server);
    await close();
    log.info('stopped');
    log.flush(() => process.exit(0));
  };
  const onSignal = () => {
    stop().catch((error: unknown) => {
      log.fatal({ err: error }, 'did not stop cleanly');
      process.exit(1);
    });
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

async function finishRequests(server: Server): Promise<void> {
  const finished = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const tooLong = setTimeout(() => server.closeAllConnections(), patienceMs);
  await finished;
  clearTimeout(tooLong);
}
