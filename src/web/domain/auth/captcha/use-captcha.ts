import { createElement, useCallback, useRef, useState } from 'react';
import type { ApiError } from '#web/platform/api/api-error.ts';
import { CaptchaPlace } from './captcha-place.tsx';
import type { CaptchaAnswer, CaptchaFor, CaptchaProblem, Given } from './given.ts';
import type { Elements } from '#web/ui/elements.ts';

export interface Captcha {
  /** true from the first `ask` on */
  readonly needed: boolean;
  /** to be put into the form, above its button; null until needed */
  readonly view: Elements;
  /** an answer is there, or needs nobody's doing any more */
  readonly complete: boolean;
  /**
   * True when an answer is due and not there for this account: says so at its field, and moves the focus there. Then send
   * nothing.
   */
  readonly missing: (of: CaptchaFor) => boolean;
  /** after -3035: shows the captcha that will do, or says that the answer was not right */
  readonly ask: (of: CaptchaFor, error: Pick<ApiError, 'params'>) => void;
  /**
   * What the call carries; `{}` where nothing is needed. Waits while the device is working on it. Taking an answer uses
   * it up, whatever comes of the call, so the next captcha is fetched at once.
   */
  readonly answer: () => Promise<CaptchaAnswer>;
}

interface Shown {
  /** undefined until the first `ask` */
  readonly of: CaptchaFor | undefined;
  readonly workOnly: boolean;
  readonly asked: number;
  readonly spent: number;
  readonly problem: CaptchaProblem;
  readonly complete: boolean;
}

const unasked: Shown = { of: undefined, workOnly: false, asked: 0, spent: 0, problem: undefined, complete: false };

const isSame = (one: CaptchaFor | undefined, other: CaptchaFor) =>
  one?.account === other.account && one.type === other.type && one.areaCode === other.areaCode;

/**
 * [Note: Asking for a captcha] A form sends without one until the server asks (`wrongCaptcha`); then
 *
 *     if (captcha.missing(identity)) return {};
 *     await call(login, { body: { ...values, ...(await captcha.answer()) } })   // -3035: captcha.ask(identity, error)
 *
 * and puts `captcha.view` above its button. What shows it is fetched only then; this file is part of the first visit.
 */
export function useCaptcha(): Captcha {
  const [shown, setShown] = useState(unasked);
  const { put, due, take, drop } = useGiven(setShown);
  /** whether the last call carried an answer; a call without one is no wrong answer */
  const carried = useRef(false);
  const { of, ...view } = shown;
  const asked = (next: CaptchaFor, change: Partial<Shown>) =>
    setShown((old) => ({
      ...old,
      ...change,
      asked: old.asked + 1,
      ...(isSame(old.of, next) ? {} : { of: next, spent: old.spent + 1, complete: false }),
      ...(old.asked === 0 && { problem: undefined }),
    }));
  return {
    needed: of !== undefined,
    complete: shown.complete,
    view: of ? createElement(CaptchaPlace, { ...view, of, onGive: put }) : null,
    missing: (next) => {
      if (!of) return false;
      if (!isSame(of, next)) drop();
      if (!due()) return false;
      asked(next, { problem: 'missing' });
      return true;
    },
    ask: (next, { params }) =>
      asked(next, { problem: carried.current ? 'refused' : 'missing', workOnly: params.way === 'work' }),
    answer: async () => {
      const taken = of ? await take() : null;
      carried.current = taken !== null;
      if (taken === null) return {};
      setShown((old) => ({ ...old, spent: old.spent + 1, problem: undefined, complete: false }));
      return taken;
    },
  };
}

type Settled = Exclude<Given, 'working'>;

/** Holds what was given, outside of the state, so that a form that is being sent has the latest. */
function useGiven(setShown: (change: (old: Shown) => Shown) => void) {
  const given = useRef<Given>(null);
  const waiting = useRef<((settled: Settled) => void)[]>([]);
  const put = useCallback(
    (next: Given) => {
      given.current = next;
      setShown((old) => ({ ...old, complete: next !== null, problem: next === null ? old.problem : undefined }));
      if (next === 'working') return;
      for (const resolve of waiting.current.splice(0)) resolve(next);
    },
    [setShown],
  );
  const take = async (): Promise<Settled> => {
    const now = given.current;
    const taken = now === 'working' ? await new Promise<Settled>((resolve) => waiting.current.push(resolve)) : now;
    given.current = null;
    return taken;
  };
  const drop = () => void (given.current = null);
  return { put, due: () => given.current === null, take, drop };
}
