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

/** The question that a sign-up asks now; `whole`: all at once, where the brand asks for no code. */
export type RegisterStep = 'account' | Question | 'whole';

interface Answered {
  /** the brand asks for a code */
  readonly withCode: boolean;
  /** one is on its way to the account that stands there */
  readonly sent: boolean;
  /** it has been typed, and was right */
  readonly proved: boolean;
}

/** The question that was unfolded last, as soon as what comes before it is answered. */
export function stepOf(wanted: Question | undefined, { withCode, sent, proved }: Answered): RegisterStep {
  if (!withCode) return 'whole';
  if (wanted === undefined) return 'account';
  if (proved) return 'password';
  return sent ? 'code' : 'account';
}

/** A proof of `checkSignupCode`, kept for this tab: it opens nothing once there is an account. */
const proofKey = stored('signupProof', v.object({ ...codeWaitSchema.entries, proof: signupProofSchema }), 'session');
/** One that runs out while a password is thought of is none. */
const spareMs = 60_000;

/** The proof that the account as typed is its owner's, where there is one. */
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
