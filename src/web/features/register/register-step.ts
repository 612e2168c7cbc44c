import { useMemo, useState } from 'react';
import * as v from 'valibot';
import { signupProofSchema } from '#contract/signup.ts';
import type { Identity } from '#web/domain/auth/account-rules.ts';
import { isFor } from '#web/domain/auth/codes/code-wait.ts';
import type { Question } from '#web/domain/auth/codes/use-question.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { codeWaitSchema } from '#web/platform/session/storage/sign-in-keys.ts';
import { stored } from '#web/platform/session/storage/stored.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';

/** The current question; `whole`: all at once, if the brand requires no code. */
export type RegisterStep = 'account' | Question | 'whole';

interface Answered {
  /** the brand requires a code */
  readonly withCode: boolean;
  /** a code was sent to the typed account */
  readonly sent: boolean;
  /** the code was typed and is correct */
  readonly proved: boolean;
}

/** The last unfolded question whose predecessors are answered. */
export function stepOf(wanted: Question | undefined, { withCode, sent, proved }: Answered): RegisterStep {
  if (!withCode) return 'whole';
  if (wanted === undefined) return 'account';
  if (proved) return 'password';
  return sent ? 'code' : 'account';
}

/** A proof of `checkSignupCode`, stored for this tab; it is useless once the account exists. */
const proofKey = stored('signupProof', v.object({ ...codeWaitSchema.entries, proof: signupProofSchema }), 'session');
/** A proof must be valid for this long, because typing a password takes time. In milliseconds. */
const spareMs = 60_000;

/** The proof that the typed account belongs to the visitor, if there is one. */
export function useProof(identity: Identity | undefined) {
  const [made, setMade] = useState<v.InferOutput<typeof codeWaitSchema> & { proof: string }>();
  const alive = useHydrated();
  const before = useMemo(() => (alive ? proofKey.get() : undefined), [alive]);
  const held = made ?? before;
  const good = isFor(held, identity) && held !== undefined && held.until > serverNow() + spareMs;
  return {
    proof: good ? held.proof : undefined,
    hold: (of: Identity, proof: string, until: number) => {
      proofKey.set({ ...of, proof, until });
      setMade({ ...of, proof, until });
    },
    forget: () => {
      proofKey.remove();
      setMade(held && { ...held, until: 0 });
    },
  };
}
