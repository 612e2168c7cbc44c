import { createTransport } from 'nodemailer';
import { withConnections } from '#server/runtime/outbound.ts';
import { MessageRefused } from './sms.ts';
import { readSmtpUrl } from './smtp-url.ts';
import { isOfServer, MailServerUnusable, refusalOf } from './smtp-problem.ts';
import type { ProviderCheck } from '#server/payments/gateway.ts';

export interface Attachment {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
}

/** A mail as it leaves: plain text and HTML say the same. */
export interface Mail {
  /** `Name <address>` */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly Attachment[];
  /** of an offer: where mail programs say no in one tap (RFC 8058) */
  readonly unsubscribeUrl?: string;
}

/** The way out for mail. Rejects when the mail was not accepted within `sendTimeoutMs`; the outbox then tries again later. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  /** whether the mail server lets this shop in, without sending anything; for `operator -- doctor` */
  check?(): Promise<ProviderCheck>;
}

/** Mail stays in the outbox, where `/dev/outbox` shows it: nothing leaves this machine. */
export const outboxOnly: Mailer = { send: () => Promise.resolve() };

/** Mail programs show a button by them, and their servers tap it without opening the mail (RFC 2369, RFC 8058). */
const listHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The address takes no mail and never will: no such mailbox, or no such domain. */
export class AddressGone extends MessageRefused {}

/** By whom mail is signed, so that others believe where it is from (RFC 6376); the key is PEM. */
export interface DkimKey {
  readonly domainName: string;
  readonly keySelector: string;
  readonly privateKey: string;
}

/**
 * What a signature covers: what makes the message, and both headers by which offers end, which RFC 8058 (section 4) asks
 * for and the library leaves out.
 */
const signedHeaders =
  'from:to:subject:date:message-id:mime-version:content-type:list-unsubscribe:list-unsubscribe-post';

/**
 * Answers to RCPT that speak of the mailbox, or of its domain, and not of the sender, a filter or the moment (RFC 3463:
 * 5.1.1, 5.1.2, 5.1.3, 5.1.6, 5.1.10).
 */
const noMailbox = /^5\d\d[ -]5\.1\.(?:1|2|3|6|10)\b/;

/** For a connection, a greeting and each reply, unless `SMTP_URL` says otherwise. */
const patienceMs = 20_000;
/** After how long a send is aborted, in milliseconds: a server may delay each of its replies for as long as it is waited for. */
export const sendTimeoutMs = 60_000;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Sends through an SMTP server, `smtp://user:password@host:port`. A password goes over the network inside TLS or not at
 * all: a server that offers none is then refused, instead of being spoken to in the clear (RFC 3207, section 6).
 */
export function smtpMailer(url: string, dkim?: DkimKey, timeoutMs = sendTimeoutMs): Mailer {
  const address = readSmtpUrl(url);
  if (typeof address === 'string') throw new MailServerUnusable(address);
  const { host } = address;
  const transport = createTransport({
    url: address.url,
    requireTLS: address.hasUser && !loopback.test(host),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: { ...dkim, headerFieldNames: signedHeaders } }),
  });
  return {
    check: () =>
      withConnections(() => transport.verify()).then(
        () => ({ works: true, says: `${host} lets the shop in` }),
        (error: unknown) => ({ works: false, says: `SMTP_URL: ${host} ${refusalOf(error)}` }),
      ),
    send: async ({ to, unsubscribeUrl, attachments = [], ...mail }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      // as text it would be taken apart at its commas, and reach people that nobody named
      const addressed = { ...mail, to: { name: '', address: to }, attachments: [...attachments], signal };
      const whole = unsubscribeUrl === undefined ? addressed : { ...addressed, headers: listHeaders(unsubscribeUrl) };
      await withConnections(() => transport.sendMail(whole)).catch((error: unknown) => {
        const said = error instanceof Error && 'response' in error ? String(error.response) : '';
        if (noMailbox.test(said)) throw new AddressGone('the mail server says that there is no such mailbox');
        throw isOfServer(error) ? new MailServerUnusable(`${host} ${refusalOf(error)}`, error) : error;
      });
    },
  };
}
