import * as endpoints from '#contract/index.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { capabilityCalls } from '#contract/capability-calls.ts';
import type { Capability } from '#contract/capabilities.ts';
import type { Backend } from './backend.ts';

/** A level with all levels that it is part of. */
export function levelsUpTo(level: Capability): Capability[] {
  const below = capabilityCalls[level].needs.flatMap(levelsUpTo);
  return [...new Set([...below, level])];
}

const byName: ReadonlyMap<string, Endpoint> = new Map(Object.entries(endpoints));

/** The calls of the levels that a backend has; a required one that is missing is noted. */
export async function findCalls(backend: Backend, levels: readonly Capability[]): Promise<Endpoint[]> {
  const found: Endpoint[] = [];
  for (const level of levels) {
    const { required, optional } = capabilityCalls[level];
    for (const name of [...required, ...optional]) {
      const endpoint = byName.get(name);
      if (!endpoint) throw new Error(`the contract has no call ${name}`);
      const isRequired = required.includes(name);
      if (await backend.offers(endpoint, { isRequired })) found.push(endpoint);
      else if (isRequired) {
        backend.book.note(
          name,
          'journey',
          `${endpoint.method} ${endpoint.path} is missing, which \`${level}\` requires`,
        );
      }
    }
  }
  return found;
}

/** A token that no backend has issued. */
const inventedToken = 'conformance-0000000000000000000000';

/** What holds for a call whatever it does: tokens, unreadable input, the key of a purchase. */
export async function probe(backend: Backend, endpoint: Endpoint, token: string | undefined): Promise<void> {
  const { name, access, method, file, idempotent } = endpoint;
  const { book } = backend;
  if (access === 'customer') {
    const visitor = await backend.raw(endpoint, {});
    book.note(name, 'token', refusedWith('invalidToken', visitor, 'without a token'));
    const stranger = await backend.raw(endpoint, {}, { token: inventedToken });
    book.note(name, 'token', refusedWith('invalidToken', stranger, 'with an invented token'));
  }
  if (method !== 'POST' || file || !endpoint.body || (access === 'customer' && token === undefined)) return;
  const key = idempotent ? { idempotencyKey: crypto.randomUUID() } : {};
  for (const text of ['{"', '[]', '"text"']) {
    const reply = await backend.raw(endpoint, { text }, { token, ...key });
    book.note(name, 'input', refusedWith('invalidRequest', reply, `for the body ${text}`));
  }
}

/** The problem of a reply that should have been this refusal. */
export function refusedWith(
  reason: string,
  reply: { readonly ok: boolean; readonly reason?: string },
  when: string,
): string | false {
  // a missing call has been noted where it is required
  if (!reply.ok && (reply.reason === reason || reply.reason === 'missing')) return false;
  return `${reply.ok ? 'succeeds' : `is refused as ${reply.reason}`} ${when}, expected ${reason}`;
}
