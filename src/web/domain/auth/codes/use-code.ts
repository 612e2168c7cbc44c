import { useLingui } from '@lingui/react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { countdownConfig } from '#contract/session.ts';
import { sendVerificationCode, type CodePurpose } from '#contract/codes.ts';
import { sendConfirmCode } from '#contract/confirm-owner.ts';
import { defaultCountdownSeconds } from '#contract/limits.ts';
import type { Identity } from '../account-rules.ts';
import { storedDeviceToken } from '../enter.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useCaptcha, type Captcha } from '../captcha/use-captcha.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import type { Words } from '#web/platform/form/words.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { codeWaitKey, type CodeWait } from '#web/platform/session/storage/sign-in-keys.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { isFor, mayStillArrive, startCodeWait } from './code-wait.ts';
import { codeWords } from './code-words.ts';
import { useSecondsLeft } from './wait-words.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';

/** Which place a problem belongs to: the account's own field, or beside the button. */
interface Problem {
  readonly account?: Words | undefined;
  readonly other?: Words | undefined;
}

interface State {
  readonly busy: boolean;
  /** the last code that this page asked for */
  readonly asked: CodeWait | undefined;
  readonly problem: Problem;
  /** whose the problem is: another account has none */
  readonly of: Identity | undefined;
}

/**
 * Asking for a code by mail or SMS. The countdown until the next one lives as long as the tab, and belongs to the
 * account that the code went to. `identity` is the account as typed, once it looks right.
 */
export function useCode(scene: Exclude<CodePurpose, 'contact'>, identity?: Identity) {
  const { i18n } = useLingui();
  const [state, setState] = useState<State>({ busy: false, asked: undefined, problem: {}, of: undefined });
  const captcha = useCaptcha();
  const send = useSend(scene, captcha, setState);
  const alive = useHydrated();
  // Only the browser knows what was asked for before a reload.
  const before = useMemo(() => (alive ? codeWaitKey(scene).get() : undefined), [alive, scene]);
  const wait = state.asked ?? before;
  const left = useSecondsLeft(wait);
  const { problem } = state;
  const same = identity === undefined || isFor(wait, identity);
  const told = identity === undefined || sameIdentity(state.of, identity) ? problem : {};
  return {
    send,
    busy: state.busy,
    captcha,
    /** until another can be asked for; 0 when at once */
    waitSeconds: same ? left : 0,
    /** a code went to this account, and is worth typing in */
    sent: same && mayStillArrive(wait, serverNow()),
    /** changes with every code that this page asked for: the field for it takes the focus then */
    asked: same ? state.asked : undefined,
    /** goes with the code: it is for whoever asked for it */
    request: same ? wait?.request : undefined,
    /** what is wrong besides the account */
    problem: told.other?.(i18n),
    /** what the server has against the account; belongs to its field */
    accountProblem: told.account?.(i18n),
    /** the customer goes on with a code that they have, whatever kept another one from being sent */
    clearProblem: () => setState((old) => ({ ...old, problem: {} })),
    /** after the code was used */
    forget: () => {
      codeWaitKey(scene).remove();
      setState((old) => ({ ...old, problem: {} }));
    },
  };
}

const sameIdentity = (one: Identity | undefined, other: Identity) =>
  one?.type === other.type && one.account === other.account && one.areaCode === other.areaCode;

/** Answers whether a code went out. It is never asked for twice at once. */
function useSend(
  scene: Exclude<CodePurpose, 'contact'>,
  captcha: Captcha,
  setState: (change: (old: State) => State) => void,
) {
  const language = useLanguage();
  const queryClient = useQueryClient();
  const isSending = useRef(false);
  const options = { errors: { wrongCaptcha: () => undefined }, message: codeWords };
  const confirmCode = useApiMutation(sendConfirmCode, { message: codeWords });
  const code = useApiMutation(sendVerificationCode, options);
  return async (identity: Identity): Promise<boolean> => {
    if (isSending.current || captcha.missing(identity)) return false;
    isSending.current = true;
    setState((old) => ({ ...old, busy: true, problem: {}, of: identity }));
    const keep = (seconds: number, request = requestBefore(scene, identity)) => {
      const wait = { ...startCodeWait(identity, seconds, serverNow()), ...(request !== undefined && { request }) };
      codeWaitKey(scene).set(wait);
      setState((old) => ({ ...old, asked: wait }));
    };
    try {
      const answer = await captcha.answer();
      const device = storedDeviceToken();
      const { result, error, refusal } = await (scene === 'confirm'
        ? confirmCode.send({ body: { language, device } })
        : code.send({ body: { ...identity, scene, language, device, ...answer } }));
      if (result) keep(result.waitSeconds, result.request);
      else if (error?.is('wrongCaptcha')) captcha.ask(identity, error);
      else if (refusal) setState((old) => ({ ...old, problem: problemOf(refusal) }));
      // An earlier code may be in the mail already, so there is something to type in all the same.
      if (error?.is('tooFrequent')) keep(error.params.waitSeconds ?? (await pauseBetween(queryClient)));
      return result !== undefined;
    } finally {
      isSending.current = false;
      setState((old) => ({ ...old, busy: false }));
    }
  };
}

/** The code that went out before is still good, when another one cannot be had yet. */
function requestBefore(scene: Exclude<CodePurpose, 'contact'>, identity: Identity): string | undefined {
  const before = codeWaitKey(scene).get();
  return isFor(before, identity) ? before?.request : undefined;
}

function problemOf({ summary, field }: Refusal<never>): Problem {
  const isOfAccount = field === 'account' || field === 'email' || field === 'phone' || field === 'areaCode';
  return isOfAccount ? { account: summary } : { other: summary };
}

/** Seconds, where a refusal does not say how long (countdown config). */
async function pauseBetween(queryClient: QueryClient): Promise<number> {
  const config = queryClient.ensureQueryData(q(countdownConfig, {}, { quiet: true }));
  return config.then(
    ({ caffeineRegionVerify }) => caffeineRegionVerify,
    // the shop's own rule stands where the server cannot be asked
    () => defaultCountdownSeconds,
  );
}
