import type { QueryClient } from '@tanstack/react-query';
import type { PageCall } from '#contract/page.ts';
import { refusedError } from './refused-error.ts';
import { setServerCall } from './transport.ts';

/** Makes a client's queries call the API in process. Pages receive the same error as over the network. */
export function installServerCall(client: QueryClient, call: PageCall): void {
  setServerCall(client, (endpoint, input) =>
    call(endpoint, input).catch((thrown: unknown) => refuse(endpoint.name, thrown)),
  );
}

/** The in-process call rejects with `{ errCode }`. */
function refuse(endpoint: string, thrown: unknown): never {
  const code = thrown instanceof Object && 'errCode' in thrown ? Number(thrown.errCode) : NaN;
  if (Number.isInteger(code)) throw refusedError(endpoint, { code });
  throw thrown;
}
