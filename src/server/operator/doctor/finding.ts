import type { ProviderCheck } from '#server/payments/terms.ts';

/** `wrong` must be fixed before production; `note` is information. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'wrong';
  /** what was checked */
  readonly what: string;
  /** one line, and never a secret */
  readonly says: string;
}

export const okFinding = (what: string, says: string): Finding => ({ state: 'ok', what, says });
export const noteFinding = (what: string, says: string): Finding => ({ state: 'note', what, says });
export const wrongFinding = (what: string, says: string): Finding => ({ state: 'wrong', what, says });

/** Timeout of each check, in milliseconds. */
export const patienceMs = 8000;

/** A request that ends within `patienceMs`, with its body. */
export const request = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });

/** The result of a provider's check. A check has its own timeout; one that hangs or throws is a bug of ours. */
export async function providerFinding(
  what: string,
  check: (() => Promise<ProviderCheck>) | undefined,
): Promise<Finding> {
  if (!check) return noteFinding(what, 'cannot be checked from here');
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 3 * patienceMs, undefined).unref());
  // only the error's name, because its message may contain secrets
  const failed = (error: unknown) => ({
    isReachable: false,
    says: `cannot be asked: ${error instanceof Error ? error.name : 'fault'}`,
  });
  const answer = await Promise.race([check(), late]).catch(failed);
  if (!answer) return wrongFinding(what, 'does not answer');
  return answer.isReachable ? okFinding(what, answer.says) : wrongFinding(what, answer.says);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'is not in the DNS',
  EAI_AGAIN: 'is not in the DNS, or the DNS does not answer',
  ECONNREFUSED: 'is not listening',
  ECONNRESET: 'hangs up',
  CERT_HAS_EXPIRED: 'shows a certificate that has run out',
};

/** Why a server could not be reached, in a message of our own. */
export function reasonOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    const code = 'code' in at ? String(at.code) : '';
    const reason = reasons[code];
    if (reason !== undefined) return reason;
    if (/CERT|SIGNATURE|ALTNAME|SSL/.test(code)) return `shows a certificate that is not believed (${code})`;
  }
  return 'does not answer';
}
