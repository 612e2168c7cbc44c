import { Trans } from '@lingui/react/macro';
import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react';
import type { CallError } from '#web/platform/api/api-error.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { Ring } from '#web/ui/spinner.tsx';
import type { CaptchaAnswer, CaptchaBoxProps, CaptchaFor, CaptchaProblem, Given } from './given.ts';

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
  readonly ask: (of: CaptchaFor, error: Pick<CallError, 'params'>) => void;
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
 *     await login.send({ body: { ...values, ...(await captcha.answer()) } })   // wrongCaptcha: captcha.ask(identity, error)
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
    view: of ? <CaptchaPlace {...view} of={of} onGive={put} /> : null,
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

/**
 * Fetches what shows the captcha when it is first needed. Not `lazy()`: a part that does not arrive would take the page
 * with it, and what was typed on it. The words here are ones that the first visit has anyway.
 */
function CaptchaPlace(props: CaptchaBoxProps) {
  const { Box, failed, load } = useBox();
  if (Box) return <Box {...props} />;
  if (!failed) return <Ring />;
  const again = (
    <Button variant="secondary" onClick={load}>
      <Trans>Retry</Trans>
    </Button>
  );
  return (
    <Alert tone="danger" live="assertive" action={again}>
      <Trans>We cannot reach the shop. Check your connection.</Trans>
    </Alert>
  );
}

function useBox() {
  const [state, setState] = useState<{ Box?: ComponentType<CaptchaBoxProps>; failed: boolean }>({ failed: false });
  const { failed } = state;
  useEffect(() => {
    if (failed) return;
    void fetchBox().then(
      (Box) => setState({ Box, failed: false }),
      () => setState({ failed: true }),
    );
  }, [failed]);
  return { ...state, load: () => setState({ failed: false }) };
}

async function fetchBox(): Promise<ComponentType<CaptchaBoxProps>> {
  const [{ CaptchaBox }] = await Promise.all([import('./captcha-box.tsx'), ensureWords('private')]);
  return CaptchaBox;
}

/** A captcha that was asked for before its code was there: it hands over what controls it. */
export function CaptchaPart({ onControl }: { onControl: (captcha: Captcha) => void }) {
  const captcha = useCaptcha();
  useEffect(() => onControl(captcha));
  return captcha.view;
}
