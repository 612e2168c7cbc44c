import { useLingui } from '@lingui/react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, useEffect } from 'react';
import { countdownConfig } from '#contract/session.ts';
import { sendVerificationCode, type CodePurpose } from '#contract/codes.ts';
import { sendConfirmCode } from '#contract/confirm-owner.ts';
import { defaultCountdownSeconds, verificationCodeDigits } from '#contract/limits.ts';
import { type Identity, accountErrorMessage } from '../account-rules.ts';
import { storedDeviceToken } from '../complete-sign-in.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useCaptcha, type Captcha } from '../captcha/use-captcha.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { type LocalizedMessage, localizedMessage } from '#web/platform/form/localized-message.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { codeWaitKey, type CodeWait } from '#web/platform/session/storage/sign-in-keys.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { isCodeForAccount, mayStillArrive, startCodeWait, secondsLeft } from './code-wait.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { msg, plural } from '@lingui/core/macro';
import type { CallError } from '#web/platform/api/api-error.ts';
import { normalizeCharacters } from '#contract/normalize-text.ts';

/** The place of an error: the account's field, or beside the button. */
interface Problem {
  readonly account?: LocalizedMessage | undefined;
  readonly other?: LocalizedMessage | undefined;
}

interface State {
  readonly busy: boolean;
  /** the last code that this page requested */
  readonly asked: CodeWait | undefined;
  readonly problem: Problem;
  /** the account that the error belongs to */
  readonly of: Identity | undefined;
}

/**
 * Requests a code by email or SMS. The countdown until the next one is stored for the tab and belongs to the account
 * that the code was sent to. `identity` is the typed account, once it is valid.
 */
export function useCode(scene: Exclude<CodePurpose, 'contact'>, identity?: Identity) {
  const { i18n } = useLingui();
  const [state, setState] = useState<State>({ busy: false, asked: undefined, problem: {}, of: undefined });
  const captcha = useCaptcha();
  const send = useSend(scene, captcha, setState);
  const alive = useHydrated();
  // Only the browser knows what was requested before a reload.
  const before = useMemo(() => (alive ? codeWaitKey(scene).get() : undefined), [alive, scene]);
  const wait = state.asked ?? before;
  const left = useSecondsLeft(wait);
  const { problem } = state;
  const same = identity === undefined || isCodeForAccount(wait, identity);
  const told = identity === undefined || sameIdentity(state.of, identity) ? problem : {};
  return {
    send,
    busy: state.busy,
    captcha,
    /** seconds until another can be requested; 0 if none */
    waitSeconds: same ? left : 0,
    /** a code was sent to this account and may still be valid */
    sent: same && mayStillArrive(wait, serverNow()),
    /** a new object for each code that this page requested: its field is focused then */
    asked: same ? state.asked : undefined,
    /** sent with the code: a code is valid only with the request that it was sent for */
    request: same ? wait?.request : undefined,
    /** errors that do not concern the account */
    problem: told.other?.(i18n),
    /** the server's error about the account; belongs to its field */
    accountProblem: told.account?.(i18n),
    /** the customer uses a code that they have, whatever prevented another one */
    clearProblem: () => setState((old) => ({ ...old, problem: {} })),
    /** call it after the code was used */
    forget: () => {
      codeWaitKey(scene).remove();
      setState((old) => ({ ...old, problem: {} }));
    },
  };
}

const sameIdentity = (one: Identity | undefined, other: Identity) =>
  one?.type === other.type && one.account === other.account && one.areaCode === other.areaCode;

/** Resolves to whether a code was sent. Two requests never run at the same time. */
function useSend(
  scene: Exclude<CodePurpose, 'contact'>,
  captcha: Captcha,
  setState: (change: (old: State) => State) => void,
) {
  const language = useLanguage();
  const queryClient = useQueryClient();
  const isSending = useRef(false);
  const options = { errors: { wrongCaptcha: () => undefined }, message: codeErrorMessage };
  const confirmCode = useApiMutation(sendConfirmCode, { message: codeErrorMessage });
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
      // An earlier code may be in the mailbox already, so the field is shown all the same.
      if (error?.is('tooFrequent')) keep(error.params.waitSeconds ?? (await pauseBetween(queryClient)));
      return result !== undefined;
    } finally {
      isSending.current = false;
      setState((old) => ({ ...old, busy: false }));
    }
  };
}

/** The previous code is still valid if another cannot be requested yet. */
function requestBefore(scene: Exclude<CodePurpose, 'contact'>, identity: Identity): string | undefined {
  const before = codeWaitKey(scene).get();
  return isCodeForAccount(before, identity) ? before?.request : undefined;
}

function problemOf({ summary, field }: Refusal<never>): Problem {
  const isOfAccount = field === 'account' || field === 'email' || field === 'phone' || field === 'areaCode';
  return isOfAccount ? { account: summary } : { other: summary };
}

/** Seconds to wait if the error does not say how long (countdown config). */
async function pauseBetween(queryClient: QueryClient): Promise<number> {
  const config = queryClient.ensureQueryData(q(countdownConfig, {}, { quiet: true }));
  return config.then(
    ({ caffeineRegionVerify }) => caffeineRegionVerify,
    // the shop's default applies if the server cannot be reached
    () => defaultCountdownSeconds,
  );
}

/** Longer than any code, and short enough to show what was pasted. */
const longest = 12;

/**
 * Extracts the digits of a typed or pasted code: from "Your code is 12 34", or the only group of four in a message. A
 * digit typed after the last one is ignored; a longer pasted number stays and is invalid.
 */
export function codeDigits(text: string, before = ''): string {
  const groups = normalizeCharacters(text)
    .split(/\D+/)
    .filter((group) => group !== '');
  const [whole, ...others] = groups.filter(isCompleteCode);
  if (whole !== undefined && others.length === 0) return whole;
  const digits = groups.join('');
  return digits.slice(0, digits.length === before.length + 1 ? verificationCodeDigits : longest);
}

export const isCompleteCode = (code: string): boolean => code.length === verificationCodeDigits;

const codeMissing = localizedMessage(msg`Verification code cannot be empty`);
const codeShort = localizedMessage(msg`Enter all 4 digits`);

/** The problem of a code that is about to be sent. */
export function codeProblem(code: string): LocalizedMessage | false {
  if (code === '') return codeMissing;
  return !isCompleteCode(code) && codeShort;
}

/** Messages that differ from the catalogue: how many tries are left and how long to wait. */
export function codeErrorMessage(error: CallError): LocalizedMessage | undefined {
  const { triesLeft } = error.params;
  if (error.is('wrongCode') && triesLeft) return triesLeftMessage(triesLeft);
  if (error.is('operationUnsupported') && error.params.field === 'phone')
    return localizedMessage(msg`We can’t send messages to phone numbers. Please use your email address.`);
  if (error.is('operationUnsupported'))
    return localizedMessage(msg`Codes no longer work for this account. Reset your password by email instead.`);
  return waitMessage(error) ?? accountErrorMessage(error);
}

const triesLeftMessage =
  (tries: number): LocalizedMessage =>
  (i18n) =>
    i18n._(
      msg`This code is incorrect. ${plural(tries, { one: 'You have # try left.', other: 'You have # tries left.' })}`,
    );

/** The message with the time to wait, if the server sent one; undefined uses the catalogue. */
export function waitMessage(error: CallError): LocalizedMessage | undefined {
  const { waitSeconds } = error.params;
  if (!waitSeconds || !error.is('tooFrequent')) return undefined;
  if (waitSeconds <= 90) {
    return (i18n) =>
      i18n._(
        msg`That was too soon. ${plural(waitSeconds, { one: 'You can request a new code in # second.', other: 'You can request a new code in # seconds.' })}`,
      );
  }
  const minutes = Math.ceil(waitSeconds / 60);
  const words = msg`You’ve requested too many codes. ${plural(minutes, { one: 'You can request a new one in # minute.', other: 'You can request a new one in # minutes.' })}`;
  const hours = Math.ceil(minutes / 60);
  const longer = msg`You’ve requested too many codes. ${plural(hours, { one: 'You can request a new one in # hour.', other: 'You can request a new one in # hours.' })}`;
  return (i18n) => i18n._(minutes > 90 ? longer : words);
}

/** Seconds until another code or email can be requested, by the server's clock, updated every second. */
export function useSecondsLeft(wait: Pick<CodeWait, 'until'> | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const read = () => {
      const seconds = secondsLeft(wait, serverNow());
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    };
    const timer = setInterval(read, 1000);
    read();
    return () => clearInterval(timer);
  }, [wait]);
  return left;
}
