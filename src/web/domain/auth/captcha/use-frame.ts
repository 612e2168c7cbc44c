import { useCallback, useEffect, useRef, useState } from 'react';
import { siteVerify } from '#contract/captcha.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import type { CaptchaBoxProps, CaptchaFor, Given } from './given.ts';
import { framePlace, readMessage } from './frame-place.ts';

/** After how long a provider that does not load is given up, in milliseconds (issue 3). */
const loadWithinMs = 10_000;
/** A ticket lives five minutes; it has to reach the server before. In milliseconds. */
const ticketMs = 290_000;

type Stage = 'loading' | 'ready' | 'absent' | 'verifying' | 'verified';

interface FrameState {
  /** which loading of the frame this is about; another turn starts from nothing */
  readonly turn: string;
  readonly stage: Stage;
  readonly error?: ApiError;
}

const usualHeight = 78;

/** What goes on between the page and the frame of the script captcha. */
export function useFrame(frame: string, { of, spent, onGive }: Pick<CaptchaBoxProps, 'of' | 'spent' | 'onGive'>) {
  const element = useRef<HTMLIFrameElement>(null);
  const [loads, setLoads] = useState(0);
  const [height, setHeight] = useState(usualHeight);
  const turn = `${spent}.${loads}`;
  const [state, setState] = useState<FrameState>({ turn, stage: 'loading' });
  const { stage, error } = state.turn === turn ? state : { stage: 'loading' as const, error: undefined };
  useEffect(() => {
    onGive(null);
    let gone = false;
    const { origin } = framePlace(frame, location.origin);
    const listen = (event: MessageEvent) => {
      if (event.source !== element.current?.contentWindow || event.origin !== origin) return;
      const message = readMessage(event.data);
      if (message?.type === 'ready') setState({ turn, stage: 'ready' });
      if (message?.type === 'failed') setState({ turn, stage: 'absent' });
      if (message?.type === 'size') setHeight(message.height);
      if (message?.type === 'token') void verify(message.token);
    };
    const verify = async (token: string) => {
      setState({ turn, stage: 'verifying' });
      onGive('working');
      const { ticket = null, error: refused } = await ticketFor(token, of);
      if (gone) return;
      onGive(ticket);
      setState({ turn, stage: ticket ? 'verified' : 'ready', ...(refused && { error: refused }) });
    };
    addEventListener('message', listen);
    return () => {
      gone = true;
      removeEventListener('message', listen);
    };
  }, [frame, turn, of, onGive]);
  const absent = useCallback(() => setState({ turn, stage: 'absent' }), [turn]);
  const renew = useCallback(() => setLoads((old) => old + 1), []);
  useDeadline(stage === 'loading', loadWithinMs, absent);
  useDeadline(stage === 'verified', ticketMs, renew);
  return { element, turn, stage, error, height, reload: renew };
}

/** Acts when something has lasted this long, in milliseconds; `act` changes when it begins anew. */
function useDeadline(lasts: boolean, ms: number, act: () => void): void {
  useEffect(() => {
    if (!lasts) return undefined;
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  }, [lasts, ms, act]);
}

async function ticketFor(
  token: string,
  { account, type, areaCode }: CaptchaFor,
): Promise<{ ticket?: Exclude<Given, 'working' | null>; error?: ApiError }> {
  try {
    const body = { token, language: activeLanguage(), account, type, ...(areaCode !== undefined && { areaCode }) };
    return { ticket: await call(siteVerify, { body }, { quiet: true }) };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}
