import type { Deps } from '#server/deps.ts';
import type { GoogleProvider } from '#server/auth/sign-on/google-provider.ts';
import { openIdClient } from '#server/auth/sign-on/openid-client.ts';
import type { SendRequest } from '#server/payments/ask-provider.ts';
import { providerFetch } from '../outbound.ts';
import { isPushHost, isSandboxEndpoint } from '#server/messages/push/push-services.ts';
import type { Settings } from '#server/env.ts';
import { outboxOnly, smtpMailer, type Mailer } from '#server/messages/mailer.ts';
import { logSms, type Sms } from '#server/messages/sms.ts';
import { smsWebhook } from '#server/messages/sms-webhook.ts';
import { twilioSms } from '#server/messages/twilio.ts';
import { googleRecaptcha, recaptcha } from '#server/auth/captcha/recaptcha.ts';
import type { ScriptCaptcha } from '#server/auth/captcha/script-captcha.ts';
import type { ProviderDeps, Sandbox } from './sandbox.ts';

const googleIssuer = 'https://accounts.google.com';
/** The hosts of tokens and keys in Google's metadata (developers.google.com/identity/openid-connect). */
const googleOrigins = [googleIssuer, 'https://oauth2.googleapis.com', 'https://www.googleapis.com'] as const;

/**
 * Google where a client is configured; else the sandbox provider, which uses the same protocol and code without the
 * network; else null.
 */
export function openGoogle(deps: Omit<ProviderDeps, 'catalog'>, sandbox: Sandbox | null): GoogleProvider | null {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = deps.env;
  // readSettings accepts one only with the other
  if (GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined) {
    const client = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET };
    return openIdClient({ ...client, issuer: () => googleIssuer, fetch: providerFetch(...googleOrigins) }, deps);
  }
  return sandbox?.google(deps) ?? null;
}

/** Sends mail through SMTP, signed where a DKIM key is set; else mail stays in the outbox. */
export function openMailer(settings: Settings): Mailer {
  const { SMTP_URL: url, MAIL_DKIM_DOMAIN: domainName, MAIL_DKIM_SELECTOR: keySelector } = settings;
  const { MAIL_DKIM_KEY: privateKey } = settings;
  if (url === undefined) return outboxOnly;
  const isSigned = domainName !== undefined && keySelector !== undefined && privateKey !== undefined;
  return smtpMailer(url, isSigned ? { domainName, keySelector, privateKey } : undefined);
}

/** The SMS provider of this installation: Twilio, the operator's webhook, the log where the sandbox is on, or null. */
export function openSms({ env, log, clock }: Pick<Deps, 'env' | 'log' | 'clock'>): Sms | null {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env;
  const twilio = env.TWILIO_URL ?? 'https://api.twilio.com';
  const { SMS_WEBHOOK_URL: url, SMS_WEBHOOK_SECRET: secret } = env;
  if (sid !== undefined && authToken !== undefined && from !== undefined)
    return twilioSms({ base: twilio, sid, authToken, from, send: providerFetch(twilio), clock });
  if (url !== undefined && secret !== undefined) return smsWebhook({ url, secret, send: providerFetch(url), clock });
  return env.SANDBOX ? logSms(log) : null;
}

/**
 * Sends requests to push services. Where the sandbox is on, its own service is called in process with the same
 * protocol.
 */
export function openPush(deps: Pick<Deps, 'db' | 'clock' | 'random' | 'env'>, sandbox: Sandbox | null): SendRequest {
  const send = providerFetch((host, port) => port === 443 && isPushHost(host, deps.env));
  if (!sandbox) return send;
  const sendToSandbox = sandbox.push(deps);
  return (request) => (isSandboxEndpoint(new URL(request.url)) ? sendToSandbox(request) : send(request));
}

/** The script captcha of this installation: reCAPTCHA, the sandbox's where it is enabled, or null. */
export function openScriptCaptcha(deps: Omit<ProviderDeps, 'catalog'>, sandbox: Sandbox | null): ScriptCaptcha | null {
  const { env, log } = deps;
  const { RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SECRET: secret } = env;
  if (siteKey !== undefined && secret !== undefined) {
    return recaptcha({ ...googleRecaptcha, siteKey, secret, log, send: providerFetch(googleRecaptcha.verifyAt) });
  }
  return env.SANDBOX_CAPTCHA ? (sandbox?.scriptCaptcha(deps) ?? null) : null;
}
