import * as v from 'valibot';
import { envelopeSchema, refusalCode } from '#contract/envelope.ts';
import { savedAtHeader } from '#contract/worker.ts';

/** The server's own time of the answer where it says so, else the phone's; epoch milliseconds. */
function answeredAt(response: Response): number {
  const stated = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(stated) ? Date.now() : stated;
}

/** Whether the body is a success of our own API: not a refusal, not a login page of the hotel's Wi-Fi. */
function isSuccess(body: string): boolean {
  try {
    const envelope = v.safeParse(envelopeSchema, JSON.parse(body));
    return envelope.success && refusalCode(envelope.output) === undefined;
  } catch {
    // not JSON, so not an answer of ours
    return false;
  }
}

/**
 * The copy of an answer that may be shown again, or null where it must not be kept. The cache ignores
 * `Cache-Control`, so what may be kept is decided here. Only the type of the original headers stays: an old `Date`
 * would set the storefront's clock wrong, and `Vary` would hide the copy.
 */
export async function savedCopy(response: Response): Promise<Response | null> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || response.redirected || !type.includes('json')) return null;
  const body = await response.clone().text();
  if (!isSuccess(body)) return null;
  return new Response(body, {
    headers: { 'content-type': type, [savedAtHeader]: String(answeredAt(response)) },
  });
}
