import * as v from 'valibot';
import { smtpUrlSetting } from './mailer.ts';

/** Email. The server that sends mail, its signature, and notices about bounced mail. */
export const mailSettings = {
  /**
   * `smtp://user:password@host:587` or `smtps://user:password@host:465`. Required where the sandbox is off. A password
   * is sent over TLS only. Without this setting, mail stays in the outbox and can be read at `/dev/outbox`.
   */
  SMTP_URL: v.optional(smtpUrlSetting),
  /** The sender of mail, unless the brand has `mailFrom`. The name of the brand is put before it. */
  MAIL_FROM: v.optional(v.pipe(v.string(), v.email()), 'no-reply@marquee.example'),
  /**
   * The domain that signs mail with DKIM. It is the domain of `MAIL_FROM` or a parent of it. Mail of a brand whose
   * `mailFrom` is of another domain is not signed here: let your mail server sign it.
   */
  MAIL_DKIM_DOMAIN: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain'))),
  /** The DKIM selector. The public key is published at `<selector>._domainkey.<domain>`. */
  MAIL_DKIM_SELECTOR: v.optional(v.pipe(v.string(), v.regex(/^[a-zA-Z0-9.-]{1,63}$/))),
  /** The private RSA key as PEM, 2048 bits or more. `\n` stands for a line break. */
  MAIL_DKIM_KEY: v.optional(
    v.pipe(
      v.string(),
      v.transform((key) => key.replaceAll('\\n', '\n')),
      v.regex(
        /^-----BEGIN (?:RSA )?PRIVATE KEY-----\n[\s\S]+-----END (?:RSA )?PRIVATE KEY-----\s*$/,
        'must be a PEM key',
      ),
    ),
  ),
  /**
   * The secret of `POST /webhooks/mail`, which receives bounces and complaints: 32 characters or more. Without it the
   * webhook is closed.
   */
  MAIL_BOUNCE_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
};

export const dkimNames = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY'] as const;
