/** The port to a provider whose script shows the captcha. */
export interface ScriptCaptcha {
  readonly siteKey: string;
  /** address of the provider's script: fixed here, never taken from data */
  readonly script: string;
  /** Asks the provider whether it stands by this answer. Refuses with -24040 when the provider does not answer. */
  verify(token: string, ip: string): Promise<boolean>;
}
