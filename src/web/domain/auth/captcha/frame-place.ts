import * as v from 'valibot';
import { captchaMessageSchema, type CaptchaMessage } from '#contract/captcha.ts';
import type { Language } from '#contract/fields.ts';

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
