import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import * as v from 'valibot';
import type { UserInfo } from '#contract/user.ts';
import { endpoint } from '#contract/endpoint.ts';
import { clearSession } from '#web/platform/session/session.ts';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { resetServerClock } from '#web/platform/session/server-clock.ts';
import { ApiError } from './api-error.ts';
import { configureApi } from './exchange.ts';
import { recordNetworkSuccess } from './network/network-state.ts';
import { installErrorEffects, type ErrorEffects } from './perform.ts';

/** Endpoints of the tests of the client. */
export const read = endpoint({
  name: 'read',
  method: 'GET',
  path: '/api/read/{id}',
  params: v.object({ id: v.string() }),
  query: v.object({ word: v.optional(v.string()), page: v.optional(v.number()) }),
  result: v.object({ ok: v.boolean() }),
});
export const ask = endpoint({
  name: 'ask',
  method: 'POST',
  path: '/api/ask',
  result: v.object({ ok: v.boolean() }),
  reads: true,
});
export const write = endpoint({
  name: 'write',
  method: 'POST',
  path: '/api/write',
  body: v.object({ a: v.number() }),
  result: v.object({}),
});

export const user: UserInfo = {
  token: 'token-of-ana-0123456789',
  uid: 'u1',
  account: 'ana@example.com',
  type: 'email',
  accountLoginType: 'password',
  payStatus: 'PAID',
  expiration: Date.now() + 864_000_000,
};

/** The answer of a call that succeeds. */
export const success = { code: 0, data: { ok: true }, traceId: 'trace-1234' };

/** The error that a call throws. */
export async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError; // as: asserted on the line above
}

interface Server {
  readonly origin: string;
  received: unknown[];
  close(): void;
}

/**
 * Gives the tests of a file a server that they script, and a browser for each test whose API client calls it. Returns
 * the server and the effects of errors.
 */
export function clientOf<S extends Server>(open: () => Promise<S>) {
  let server: S;
  const effects = { toast: vi.fn<ErrorEffects['toast']>(), navigate: vi.fn(), endSession: vi.fn() };
  beforeAll(async () => {
    server = await open();
  });
  beforeEach(() => {
    openBrowser();
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' });
    configureApi({ base: server.origin, timeoutMs: 5000 });
    installErrorEffects(effects);
    vi.clearAllMocks();
    resetServerClock();
    server.received = [];
  });
  afterEach(() => {
    clearSession('logout');
    // else the next probe of the network comes when this browser is gone
    recordNetworkSuccess();
    vi.unstubAllGlobals();
  });
  afterAll(() => server.close());
  return {
    effects,
    get server() {
      return server;
    },
  };
}
