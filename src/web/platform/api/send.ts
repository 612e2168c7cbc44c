import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { sessionSettled } from '#web/platform/session/replacing.ts';
import { heldToken } from '#web/platform/session/session.ts';
import { ApiError } from './api-error.ts';
import { decide } from './decide.ts';
import { exchange, type Answer, type CallOptions } from './exchange.ts';
import { openAnswer } from './open-answer.ts';
import { perform } from './perform.ts';
import { isSafeToStop, stoppable } from './still-trying.ts';

/** One call with the session at the time of the call; see `call`. */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  token: string | null,
  options: CallOptions,
): Promise<Result<E>> {
  const open = async (pending: Promise<Answer>): Promise<Result<E>> => {
    try {
      const answer = await pending;
      if (isStale(token)) throw stale(endpoint);
      return openAnswer(endpoint, answer);
    } catch (thrown) {
      // the refusal may mean that another tab has replaced the session, so wait until that is settled
      if (endpoint.reads && thrown instanceof ApiError && thrown.kind === 'refused') await sessionSettled();
      const error = isStale(token) ? stale(endpoint) : thrown;
      if (error instanceof ApiError) await act(endpoint, error, options);
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
      if (isStale(token) && isForAnyone(endpoint)) return send(endpoint, input, heldToken(), options);
      throw error;
    }
  };
  return isSafeToStop(endpoint.name) ? stoppable(request) : request();
}

/** A copy is shown already, and the error was handled. */
function ignoreApiError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

async function act({ reads }: Endpoint, error: ApiError, { quiet, callerShows }: CallOptions): Promise<void> {
  if (error.kind === 'refused') await ensureWords('private');
  await perform(decide(error, { scene: currentScene().scene, reads, quiet, callerShows }), error);
}

/** Whether it was sent with a session that this tab no longer has: the answer is not for the current customer. */
function isStale(token: string | null): boolean {
  return token !== null && token !== heldToken();
}

/** Public reads are sent again with the current session. */
const isForAnyone = ({ method, access }: Endpoint) => method === 'GET' && access !== 'customer';

function stale(endpoint: Endpoint): ApiError {
  return new ApiError('network', endpoint.name, { lost: 'stale' });
}
