import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import * as v from 'valibot';
import { signupProofSchema } from '../../../contract/signup.ts';
import type { Identity } from '../../domain/auth/account-rules.ts';
import { isFor } from '../../domain/codes/code-wait.ts';
import { serverNow } from '../../platform/network/server-clock.ts';
import { codeWaitSchema } from '../../platform/storage/sign-in-keys.ts';
import { stored } from '../../platform/storage/stored.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';

/** The questions of a sign-up, one after the other, as the address names them; the first is nameless there. */
export type LaterStep = 'code' | 'password';
/** `whole`: all on one page, where the brand asks for no code. */
export type RegisterStep = 'account' | LaterStep | 'whole';

interface Answered {
  /** the brand asks for a code */
  readonly withCode: boolean;
  /** one is on its way to the account that stands there */
  readonly sent: boolean;
  /** it has been typed, and was right */
  readonly proved: boolean;
}

/** The question that stands there: the one of the address, as soon as what comes before it is answered. */
export function stepOf(wanted: LaterStep | undefined, { withCode, sent, proved }: Answered): RegisterStep {
  if (!withCode) return 'whole';
  if (wanted === undefined) return 'account';
  if (proved) return 'password';
  return sent ? 'code' : 'account';
}

/** Leads on by an entry in the history, so that Back leads to the question before; what was typed stays in its form. */
export function useGoTo() {
  const navigate = useNavigate();
  return (step: LaterStep | undefined, { replace = false } = {}) =>
    void navigate({ to: '/register', search: (search: object) => ({ ...search, step }), replace });
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
