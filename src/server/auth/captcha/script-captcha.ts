import type { Refuse } from '#server/runtime/request/api-error.ts';

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
