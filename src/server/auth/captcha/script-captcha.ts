import type { Refuse } from '#server/runtime/request/api-error.ts';

/** The port to a provider whose script shows the captcha. */
export interface ScriptCaptcha {
  readonly siteKey: string;
  /** address of the provider's script, or a path of our own: fixed here, never taken from data */
  readonly script: string;
  /** what the framed document may load, show and ask, besides that script; addresses, or paths of our own */
  readonly sources: {
    readonly script: readonly string[];
    readonly frame: readonly string[];
    readonly connect: readonly string[];
  };
  /**
   * Asks the provider whether it stands by this answer. Refuses with `serviceBusy` when the provider does not answer, and with
   * `configError` when it does not know us.
   */
  verify(token: string, ip: string, refuse: Refuse<'configError'>): Promise<boolean>;
}
