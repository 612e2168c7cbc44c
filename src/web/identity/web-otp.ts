/** What the browser found in the SMS (WebOTP); the type libraries do not have it yet. */
interface OtpCredential extends Credential {
  readonly code?: string;
}

/**
 * Waits for the SMS whose last line is `@host #code`, and answers with its code; undefined where the browser cannot, or
 * the customer does not let it. `signal` ends the waiting.
 */
export async function codeFromSms(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in window)) return undefined;
  try {
    // `otp` is WebOTP's own option, which the type of `get` does not know
    const asked = { otp: { transport: ['sms'] }, signal } as CredentialRequestOptions;
    const found: OtpCredential | null = await navigator.credentials.get(asked);
    return found?.code;
  } catch (error) {
    // The customer types it instead.
    console.info('The code was not read from an SMS.', error);
    return undefined;
  }
}
