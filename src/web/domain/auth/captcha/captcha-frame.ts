import { useCallback, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { captchaMessageSchema, siteVerify, type CaptchaMessage } from '#contract/captcha.ts';
import type { Language } from '#contract/fields.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import type { CaptchaBoxProps, CaptchaAccount, CaptchaState } from './captcha-answer.ts';

/** Time limit for loading the provider's script, in milliseconds. */
const loadWithinMs = 10_000;
/** A ticket is valid for five minutes and must reach the server before. In milliseconds. */
const ticketMs = 290_000;

type Stage = 'loading' | 'ready' | 'absent' | 'verifying' | 'verified';

interface FrameState {
  /** identifies one loading of the frame; each starts without state */
  readonly turn: string;
  readonly stage: Stage;
  readonly error?: CallError;
}

const usualHeight = 78;

type Answering = Pick<CaptchaBoxProps, 'account' | 'consumedCount' | 'onAnswer'>;

/** The message protocol between the page and the frame of the script captcha. */
export function useFrame(frame: string, { account, consumedCount, onAnswer }: Answering) {
  const element = useRef<HTMLIFrameElement>(null);
  const [loads, setLoads] = useState(0);
  const [height, setHeight] = useState(usualHeight);
  const turn = `${consumedCount}.${loads}`;
  const [state, setState] = useState<FrameState>({ turn, stage: 'loading' });
  const { stage, error } = state.turn === turn ? state : { stage: 'loading' as const, error: undefined };
  useEffect(() => {
    onAnswer(null);
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
      onAnswer('working');
      const { ticket = null, error: refused } = await ticketFor(token, account);
      if (gone) return;
      onAnswer(ticket);
      setState({ turn, stage: ticket ? 'verified' : 'ready', ...(refused && { error: refused }) });
    };
    addEventListener('message', listen);
    return () => {
      gone = true;
      removeEventListener('message', listen);
    };
  }, [frame, turn, account, onAnswer]);
  const absent = useCallback(() => setState({ turn, stage: 'absent' }), [turn]);
  const renew = useCallback(() => setLoads((old) => old + 1), []);
  useDeadline(stage === 'loading', loadWithinMs, absent);
  useDeadline(stage === 'verified', ticketMs, renew);
  return { element, turn, stage, error, height, reload: renew };
}

/** Calls `act` after a state has lasted for `ms` milliseconds; a new `act` restarts the time. */
function useDeadline(lasts: boolean, ms: number, act: () => void): void {
  useEffect(() => {
    if (!lasts) return undefined;
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  }, [lasts, ms, act]);
}

async function ticketFor(
  token: string,
  { account, type, areaCode }: CaptchaAccount,
): Promise<{ ticket?: Exclude<CaptchaState, 'working' | null>; error?: CallError }> {
  const body = { token, language: activeLanguage(), account, type, ...(areaCode !== undefined && { areaCode }) };
  const { result, error } = await attempt(siteVerify, { body }, { quiet: true });
  return error ? { error } : { ticket: result };
}

interface FramePlace {
  readonly sandbox: string;
  /** the expected `event.origin` of messages from the frame */
  readonly origin: string;
}

/**
 * The frame's sandbox and the origin of its messages. On our own origin, `allow-scripts` with `allow-same-origin` would
 * let the script remove the sandbox, so the origin is opaque (`null`). On another origin it is allowed, because some
 * providers need their own storage, and nothing is shared with the storefront.
 */
export function framePlace(frame: string, page: string): FramePlace {
  const { origin } = new URL(frame, page);
  const alone = 'allow-scripts allow-forms allow-popups';
  if (origin === page) return { sandbox: alone, origin: 'null' };
  return { sandbox: `${alone} allow-same-origin`, origin };
}

interface FrameWishes {
  readonly key: string;
  /** scheme and host of the page, to which the frame may post messages */
  readonly page: string;
  readonly language: Language;
}

/** The frame's address. The fragment is not sent in requests, so it is not logged. */
export function frameAddress(frame: string, { key, page, language }: FrameWishes): string {
  return `${frame}#${new URLSearchParams({ key, parent: page, language }).toString()}`;
}

/** Parses a message of the frame; undefined for anything unexpected. */
export function readMessage(data: unknown): CaptchaMessage | undefined {
  const parsed = v.safeParse(captchaMessageSchema, data);
  return parsed.success ? parsed.output : undefined;
}
