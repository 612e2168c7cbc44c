import * as v from 'valibot';
import { envelopeSchema } from '#contract/envelope.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { Reply } from './world.ts';

/** The fault of a response to any request; undefined when there is none. */
export function faultOf(shot: FuzzRequest, { status, headers, text }: Reply): string | undefined {
  if (status >= 500) return `answered ${status}`;
  const location = headers.get('location');
  if (location !== null && !isOwn(location, shot.host)) return `leads to ${location.slice(0, 80)}`;
  // an invalid request (an invalid host, a head that is too long) does not reach the shop: Node answers without a body
  const noHost = status === 400 && URL.parse(`http://${shot.host}`) === null;
  const bare = text === '' && (noHost || status === 431);
  if (!shot.target.startsWith('/api/') || shot.method === 'HEAD' || bare) return undefined;
  try {
    if (!v.is(envelopeSchema, JSON.parse(text))) return 'answered without an envelope';
  } catch {
    return `answered no JSON (${status})`;
  }
  return undefined;
}

/** Whether a redirect is a path, or leads to the requested host. */
function isOwn(location: string, host: string): boolean {
  return location.startsWith('/') ? !/^\/[/\\]/.test(location) : URL.parse(location)?.hostname === host.split(':')[0];
}

/** The request in a form that can be repeated by hand. */
export function shown({ at, method, host, target, headers, body }: FuzzRequest): string {
  const text = body === undefined ? '' : typeof body === 'string' ? JSON.stringify(body) : `bytes ${body.toHex()}`;
  return `${at}: ${method} ${host}${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 500)} ${text.slice(0, 900)}`;
}
