import { useCallback, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { captchaMessageSchema, siteVerify, type CaptchaMessage } from '#contract/captcha.ts';
import type { Language } from '#contract/fields.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import type { CaptchaBoxProps, CaptchaFor, Given } from './given.ts';

/** After how long a provider that does not load is given up, in milliseconds (issue 3). */
const loadWithinMs = 10_000;
/** A ticket lives five minutes; it has to reach the server before. In milliseconds. */
const ticketMs = 290_000;

type Stage = 'loading' | 'ready' | 'absent' | 'verifying' | 'verified';

interface FrameState {
  /** which loading of the frame this is about; another turn starts from nothing */
  readonly turn: string;
  readonly stage: Stage;
  readonly error?: CallError;
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
): Promise<{ ticket?: Exclude<Given, 'working' | null>; error?: CallError }> {
  const body = { token, language: activeLanguage(), account, type, ...(areaCode !== undefined && { areaCode }) };
  const { result, error } = await attempt(siteVerify, { body }, { quiet: true });
  return error ? { error } : { ticket: result };
}

export interface FramePlace {
  readonly sandbox: string;
  /** what `event.origin` says of a message from there */
  readonly origin: string;
}

/**
 * What the frame may do, and whom its messages come from. On our own origin it must not keep it: a script that has both
 * `allow-scripts` and `allow-same-origin` on the origin of its page can take the sandbox off. So its origin is opaque
 * there, which is told as `null`. On another origin it keeps that one, which some providers need for their own storage,
 * and which shares nothing with the storefront either.
 */
export function framePlace(frame: string, page: string): FramePlace {
  const { origin } = new URL(frame, page);
  const alone = 'allow-scripts allow-forms allow-popups';
  if (origin === page) return { sandbox: alone, origin: 'null' };
  return { sandbox: `${alone} allow-same-origin`, origin };
}

interface FrameWishes {
  readonly key: string;
  /** scheme and host of the page: whom the frame may talk to */
  readonly page: string;
  readonly language: Language;
}

/** The frame's address. What follows the `#` is in no request, and so in no log. */
export function frameAddress(frame: string, { key, page, language }: FrameWishes): string {
  return `${frame}#${new URLSearchParams({ key, parent: page, language }).toString()}`;
}

/** What the frame said; undefined for anything that it has no business saying. */
export function readMessage(data: unknown): CaptchaMessage | undefined {
  const parsed = v.safeParse(captchaMessageSchema, data);
  return parsed.success ? parsed.output : undefined;
}
