import * as v from 'valibot';
import type { Logger } from '#server/runtime/log.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';

/** Time limit for the provider's answer, in milliseconds. */
const answerWithinMs = 10_000;

interface Recaptcha extends Pick<ScriptCaptcha, 'siteKey' | 'script' | 'sources'> {
  readonly secret: string;
  /** URL that verifies answers */
  readonly verifyAt: string;
  /** `fetch`, or the simulated provider in this process */
  readonly send: (request: Request) => Promise<Response>;
  readonly log: Logger;
}

/** Google's URLs (developers.google.com/recaptcha/docs/display and /faq, "CSP"). */
export const googleRecaptcha = {
  script: 'https://www.google.com/recaptcha/api.js',
  verifyAt: 'https://www.google.com/recaptcha/api/siteverify',
  sources: {
    script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    frame: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
    connect: ['https://www.google.com/recaptcha/'],
  },
} as const;

const answerSchema = v.object({
  success: v.boolean(),
  'error-codes': v.optional(v.array(v.string()), []),
});

/** The script captcha of reCAPTCHA v2, or of a service with the same protocol. */
export function recaptcha({ secret, verifyAt, send, log, ...shown }: Recaptcha): ScriptCaptcha {
  const verifyAtProvider = async (token: string, ip: string) => {
    const body = new URLSearchParams({ secret, response: token, remoteip: ip });
    const response = await send(
      new Request(verifyAt, { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(answerWithinMs) }),
    );
    if (!response.ok) throw new Error(`the captcha provider answered ${response.status}`);
    return v.parse(answerSchema, await response.json());
  };
  return {
    ...shown,
    verify: async (token, ip, refuse) => {
      const answer = await verifyAtProvider(token, ip).catch((error: unknown) => {
        log.error({ err: error }, 'the captcha provider does not answer');
        return refuse('serviceBusy');
      });
      const unknown = answer['error-codes'].find((code) => code.endsWith('-input-secret'));
      if (unknown !== undefined) {
        log.error({ code: unknown }, 'the captcha provider does not know RECAPTCHA_SECRET');
        return refuse('configError');
      }
      return answer.success;
    },
  };
}

/** The port to a provider that shows the captcha with its own script. */
export interface ScriptCaptcha {
  readonly siteKey: string;
  /** URL of the provider's script, or a path of this server: constant, never from data */
  readonly script: string;
  /** what the framed document may load, frame and connect to besides that script; URLs, or paths of this server */
  readonly sources: {
    readonly script: readonly string[];
    readonly frame: readonly string[];
    readonly connect: readonly string[];
  };
  /**
   * Verifies an answer at the provider. `serviceBusy`: the provider does not answer. `configError`: it rejects the
   * configured secret.
   */
  verify(token: string, ip: string, refuse: Refuse<'configError'>): Promise<boolean>;
}
