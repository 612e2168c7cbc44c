import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { hasTarget, loadMessages } from '#web/platform/i18n/catalogs.ts';
import { sessionSettled } from '#web/platform/session/replacing.ts';
import { currentToken } from '#web/platform/session/session.ts';
import { isDebugging } from '#web/platform/session/storage/debug-key.ts';
import { ApiError } from './api-error.ts';
import { decide } from './decide.ts';
import { exchange, isAwayStatus, type Answer, type CallOptions } from './exchange.ts';
import { perform } from './perform.ts';
import { readablePart } from './readable-part.ts';
import * as v from 'valibot';
import { envelopeSchema, refusalCode } from '#contract/envelope.ts';
import { refusedError } from './refused-error.ts';
import { msg } from '@lingui/core/macro';
import { activeI18n } from '#web/platform/i18n/active.ts';
import { showToast } from '#web/ui/toast-store.ts';

/** One call with the session at the time of the call; see `call`. */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  token: string | null,
  options: CallOptions,
): Promise<Result<E>> {
  const open = async (pending: Promise<Answer>): Promise<Result<E>> => {
    let answer: Answer | undefined;
    try {
      answer = await pending;
      if (isStale(token)) throw stale(endpoint);
      return openAnswer(endpoint, answer);
    } catch (thrown) {
      // the refusal may mean that another tab has replaced the session, so wait until that is settled
      if (endpoint.reads && thrown instanceof ApiError && thrown.kind === 'refused') await sessionSettled();
      const error = isStale(token) ? stale(endpoint) : thrown;
      if (error instanceof ApiError) {
        if (isDebugging()) await explain(endpoint, error, answer);
        await act(endpoint, error, options);
      }
      throw error;
    }
  };
  const { query, ...rest } = options;
  const isBare = query && query.client.getQueryData(query.queryKey) === undefined;
  const fill = (pending: Promise<Answer>) =>
    void open(pending).then((result) => query?.client.setQueryData(query.queryKey, result), ignoreApiError);
  const onServerAnswer = isBare ? fill : undefined;
  const request = async (signal = options.signal): Promise<Result<E>> => {
    try {
      return await open(exchange(endpoint, input ?? {}, token, { ...rest, signal, onServerAnswer }));
    } catch (error) {
      if (isStale(token) && isForAnyone(endpoint)) return send(endpoint, input, currentToken(), options);
      throw error;
    }
  };
  return isSafeToStop(endpoint.name) ? stoppable(request) : request();
}

/** A copy is shown already, and the error was handled. */
function ignoreApiError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** For the developer of a backend. A missing chunk is treated by `chunk-reload.ts`, and the error stays the same. */
async function explain(endpoint: Endpoint, error: ApiError, answer: Answer | undefined): Promise<void> {
  const part = await import('./contract-report.tsx').catch(() => undefined);
  part?.reportFailure(endpoint, error, answer);
}

async function act({ reads }: Endpoint, error: ApiError, { quiet, shownErrors }: CallOptions): Promise<void> {
  // a call of the start is sent before there is a page, which would wait for this call
  if (error.kind === 'refused' && hasTarget()) await loadMessages('private');
  await perform(decide(error, { scene: currentScene().scene, reads, quiet, shownErrors }), error);
}

/** Whether it was sent with a session that this tab no longer has: the answer is not for the current customer. */
function isStale(token: string | null): boolean {
  return token !== null && token !== currentToken();
}

/** Public reads are sent again with the current session. */
const isForAnyone = ({ method, access }: Endpoint) => method === 'GET' && access !== 'customer';

function stale(endpoint: Endpoint): ApiError {
  return new ApiError('network', endpoint.name, { lost: 'stale' });
}

/** The envelope rule: success is `code === 0` without `errCode`, with a status from 200 to 299. */
function openAnswer<E extends Endpoint>(endpoint: E, answer: Answer): Result<E> {
  const { status, json } = answer;
  const envelope = v.safeParse(envelopeSchema, json);
  const ok = status >= 200 && status < 300;
  if (!envelope.success) throw new ApiError(ok ? 'malformed' : 'http', endpoint.name, { status });
  const { params, traceId, [endpoint.payload]: payload } = envelope.output;
  const code = refusalCode(envelope.output);
  if (code !== undefined) {
    const lost = endpoint.reads && isAwayStatus(status) ? 'unreachable' : undefined;
    throw refusedError(endpoint.name, { code, params, status, traceId, lost });
  }
  if (!ok) throw new ApiError('http', endpoint.name, { status, traceId });
  const result = v.safeParse(endpoint.result, payload ?? {});
  if (result.success) return result.output;
  const error = new ApiError('malformed', endpoint.name, { status, traceId });
  // lists of a customer are shown complete or not at all: a missing order could be bought again
  const part = isForAnyone(endpoint) ? readablePart(endpoint.result, payload) : undefined;
  if (part === undefined) throw error;
  if (isDebugging()) void explain(endpoint, error, answer);
  return part;
}

/** The delay, in milliseconds, after which a waiting customer sees that an action is still in progress. */
const stillTryingMs = 5000;

/**
 * Actions that may be aborted without harm: one that arrives all the same begins a session that is not used. By name,
 * because the endpoints would bring the schemas of signing in to every page. The payment has its own handling.
 */
const safeToStop: readonly string[] = ['login', 'codeLogin'];

const isSafeToStop = (name: string): boolean => safeToStop.includes(name);

/**
 * Runs an action that the customer may stop, and shows a toast when it takes long. The worker has the messages of the
 * toast cached; where they cannot be loaded, only the button's spinner continues.
 */
async function stoppable<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const words = loadMessages('private');
  const result = act(stop.signal);
  const over = result.then(nothing, nothing);
  let ended = false;
  const timer = setTimeout(async () => {
    await words;
    if (ended) return;
    const i18n = activeI18n();
    const action = { label: i18n._(msg`Stop`), act: () => stop.abort(), over };
    showToast({ tone: 'info', text: i18n._(msg`Still trying. The connection is slow.`), action });
  }, stillTryingMs);
  void over.then(() => {
    ended = true;
    clearTimeout(timer);
  });
  return result;
}

const nothing = () => undefined;
