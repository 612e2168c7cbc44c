import * as v from 'valibot';

/** How mail proves where it is from, and who may say that it came back; the way out itself is `SMTP_URL`. */
export const mailSettings = {
  /** the domain whose DNS has the public key: the one of `MAIL_FROM`, or above it */
  MAIL_DKIM_DOMAIN: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain'))),
  /** the key is published at `<selector>._domainkey.<domain>` */
  MAIL_DKIM_SELECTOR: v.optional(v.pipe(v.string(), v.regex(/^[a-zA-Z0-9.-]{1,63}$/))),
  /** RSA of 2048 bits or more as PEM; `\n` stands for the end of a line where a variable can have one line only */
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
  /** shared with whoever tells of mail that came back; without it nobody can */
  MAIL_BOUNCE_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
};

export const dkimNames = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY'] as const;
