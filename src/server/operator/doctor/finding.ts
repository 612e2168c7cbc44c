import type { ProviderCheck } from '#server/payments/gateway.ts';

/** `wrong` is to be mended before customers come; `note` is to be known. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'wrong';
  /** what was looked at */
  readonly what: string;
  /** one line, and never a secret */
  readonly says: string;
}

export const ok = (what: string, says: string): Finding => ({ state: 'ok', what, says });
export const note = (what: string, says: string): Finding => ({ state: 'note', what, says });
export const wrong = (what: string, says: string): Finding => ({ state: 'wrong', what, says });

/** So long, in milliseconds, anybody is waited for; whoever takes longer does not answer. */
export const patienceMs = 8000;

/** What a provider says of itself. A check answers by itself in time; one that does not, or throws, is a fault of ours. */
export async function ofProvider(what: string, check: (() => Promise<ProviderCheck>) | undefined): Promise<Finding> {
  if (!check) return note(what, 'cannot be asked from here');
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 3 * patienceMs, undefined).unref());
  // by its kind alone, as its words may hold what nobody shall read
  const failed = (error: unknown) => ({
    works: false,
    says: `cannot be asked: ${error instanceof Error ? error.name : 'fault'}`,
  });
  const answer = await Promise.race([check(), late]).catch(failed);
  if (!answer) return wrong(what, 'does not answer');
  return answer.works ? ok(what, answer.says) : wrong(what, answer.says);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'is not in the DNS',
  EAI_AGAIN: 'is not in the DNS, or the DNS does not answer',
  ECONNREFUSED: 'is not listening',
  ECONNRESET: 'hangs up',
  CERT_HAS_EXPIRED: 'shows a certificate that has run out',
};

/** Why somebody could not be reached, in words of ours. */
export function reasonOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    const code = 'code' in at ? String(at.code) : '';
    const reason = reasons[code];
    if (reason !== undefined) return reason;
    if (/CERT|SIGNATURE|ALTNAME|SSL/.test(code)) return `shows a certificate that is not believed (${code})`;
  }
  return 'does not answer';
}
