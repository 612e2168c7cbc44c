import { Trans } from '@lingui/react/macro';
import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react';
import type { CallError } from '#web/platform/api/api-error.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { Ring } from '#web/ui/spinner.tsx';
import type { CaptchaAnswer, CaptchaBoxProps, CaptchaAccount, CaptchaProblem, CaptchaState } from './captcha-answer.ts';

export interface Captcha {
  /** true after the first `ask` */
  readonly needed: boolean;
  /** to be rendered above the form's button; null until needed */
  readonly view: Elements;
  /** an answer is present, or the customer need not do anything more */
  readonly complete: boolean;
  /**
   * True if an answer is due for this account and missing: shows the error at its field and moves the focus there. The
   * form must not be sent then.
   */
  readonly missing: (of: CaptchaAccount) => boolean;
  /** after `wrongCaptcha`: shows the required captcha, or reports that the answer was wrong */
  readonly ask: (of: CaptchaAccount, error: Pick<CallError, 'params'>) => void;
  /**
   * The captcha fields of the call; `{}` if none are needed. Waits while the device computes. An answer is consumed
   * whatever the result of the call, so the next captcha is fetched at once.
   */
  readonly answer: () => Promise<CaptchaAnswer>;
}

interface Shown {
  /** undefined until the first `ask` */
  readonly account: CaptchaAccount | undefined;
  readonly workOnly: boolean;
  readonly asked: number;
  readonly consumedCount: number;
  readonly problem: CaptchaProblem;
  readonly complete: boolean;
}

const unasked: Shown = {
  account: undefined,
  workOnly: false,
  asked: 0,
  consumedCount: 0,
  problem: undefined,
  complete: false,
};

const isSame = (one: CaptchaAccount | undefined, other: CaptchaAccount) =>
  one?.account === other.account && one.type === other.type && one.areaCode === other.areaCode;

/**
 * A form is sent without a captcha until the server requires one (`wrongCaptcha`). It then calls `ask(identity,
 * error)`, renders `captcha.view` above its button, does not send while `missing(identity)`, and adds `answer()` to the
 * body. The view is loaded only then, because this file is part of the first page load.
 */
export function useCaptcha(): Captcha {
  const [shown, setShown] = useState(unasked);
  const { put, due, take, drop } = useStoredAnswer(setShown);
  /** whether the last call contained an answer; a call without one is not a wrong answer */
  const carried = useRef(false);
  const { account, ...view } = shown;
  const asked = (next: CaptchaAccount, change: Partial<Shown>) =>
    setShown((old) => ({
      ...old,
      ...change,
      asked: old.asked + 1,
      ...(isSame(old.account, next) ? {} : { account: next, consumedCount: old.consumedCount + 1, complete: false }),
      ...(old.asked === 0 && { problem: undefined }),
    }));
  return {
    needed: account !== undefined,
    complete: shown.complete,
    view: account ? <CaptchaPlace {...view} account={account} onAnswer={put} /> : null,
    missing: (next) => {
      if (!account) return false;
      if (!isSame(account, next)) drop();
      if (!due()) return false;
      asked(next, { problem: 'missing' });
      return true;
    },
    ask: (next, { params }) =>
      asked(next, { problem: carried.current ? 'refused' : 'missing', workOnly: params.way === 'work' }),
    answer: async () => {
      const taken = account ? await take() : null;
      carried.current = taken !== null;
      if (taken === null) return {};
      setShown((old) => ({ ...old, consumedCount: old.consumedCount + 1, problem: undefined, complete: false }));
      return taken;
    },
  };
}

type Settled = Exclude<CaptchaState, 'working'>;

/** Stores the answer outside the state, so that a form that is being sent reads the latest one. */
function useStoredAnswer(setShown: (change: (old: Shown) => Shown) => void) {
  const given = useRef<CaptchaState>(null);
  const waiting = useRef<((settled: Settled) => void)[]>([]);
  const put = useCallback(
    (next: CaptchaState) => {
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
 * Loads the captcha view when it is first needed. Not by `lazy()`: a chunk that fails to load would remove the page and
 * what was typed on it. The messages here are part of the first page load anyway.
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
      <Trans>We can’t reach the shop. Check your connection.</Trans>
    </Alert>
  );
}

function useBox() {
  const [state, setState] = useState<{ Box?: ComponentType<CaptchaBoxProps>; failed: boolean }>({ failed: false });
  const { failed } = state;
  useEffect(() => {
    if (failed) return;
    void loadView().then(
      (Box) => setState({ Box, failed: false }),
      () => setState({ failed: true }),
    );
  }, [failed]);
  return { ...state, load: () => setState({ failed: false }) };
}

async function loadView(): Promise<ComponentType<CaptchaBoxProps>> {
  const [{ CaptchaBox }] = await Promise.all([import('./captcha-box.tsx'), loadMessages('private')]);
  return CaptchaBox;
}

/** A captcha that was requested before its code was loaded: passes its controls to `onControl`. */
export function CaptchaPart({ onControl }: { onControl: (captcha: Captcha) => void }) {
  const captcha = useCaptcha();
  useEffect(() => onControl(captcha));
  return captcha.view;
}
