import type { Endpoint, Input, Result } from '../../contract/endpoint.ts';
import { currentScene } from '../entry/scene.ts';
import { ensureWords } from '../i18n/catalogs.ts';
import { heldToken } from '../session/session.ts';
import { ApiError } from './api-error.ts';
import type { CallOptions } from './client.ts';
import { decide } from './decide.ts';
import { exchange } from './exchange.ts';
import { openAnswer } from './open-answer.ts';
import { perform } from './perform.ts';

/** One call with the session it was asked with; see `call`. */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  token: string | null,
  options: CallOptions,
): Promise<Result<E>> {
  try {
    const answer = await exchange(endpoint, input ?? {}, token, options);
    if (isStale(token)) throw stale(endpoint);
    return openAnswer(endpoint, answer);
  } catch (thrown) {
    const error = isStale(token) ? stale(endpoint) : thrown;
    if (error instanceof ApiError) await act(endpoint, error, options);
    throw error;
  }
}

async function act({ reads, name }: Endpoint, error: ApiError, { quiet, owns }: CallOptions): Promise<void> {
  if (error.kind === 'refused') await ensureWords('errors');
  perform(decide(error, { scene: currentScene().scene, reads, name, quiet, owns }), error);
}

/** Asked with a session that this tab no longer has: the answer belongs to nobody here. */
function isStale(token: string | null): boolean {
  return token !== null && token !== heldToken();
}

function stale(endpoint: Endpoint): ApiError {
  return new ApiError('network', endpoint.name, { lost: 'stale' });
}
