import * as v from 'valibot';
import { envelopeSchema, refusalCode } from '#contract/envelope.ts';
import { savedAtHeader } from '#contract/worker.ts';

/** The time in the answer's `Date` header, else the device's; epoch milliseconds. */
function answeredAt(response: Response): number {
  const stated = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(stated) ? Date.now() : stated;
}

/** Whether the body is a success of the API, not an error or the page of a captive portal. */
function isSuccess(body: string): boolean {
  try {
    const envelope = v.safeParse(envelopeSchema, JSON.parse(body));
    return envelope.success && refusalCode(envelope.output) === undefined;
  } catch {
    // not JSON, so not from the API
    return false;
  }
}

/**
 * A copy of an answer for the cache, or null if it must not be cached. The cache ignores `Cache-Control`, so this
 * decides. Only the content type is copied: an old `Date` would set the storefront's clock wrong, and `Vary` would hide
 * the copy.
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
