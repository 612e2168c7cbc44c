import { createTransport } from 'nodemailer';
import { withConnections } from '#server/runtime/outbound.ts';
import { MessageRefused } from './sms.ts';
import type { ProviderCheck } from '#server/payments/terms.ts';
import * as v from 'valibot';
import { readServiceUrl, unknownParameter, writeServiceUrl } from '#server/runtime/service-url.ts';

export interface Attachment {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
}

/** A mail as it is sent; text and HTML say the same. */
export interface Mail {
  /** `Name <address>` */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly Attachment[];
  /** of an offer: the URL of one-click unsubscribe (RFC 8058) */
  readonly unsubscribeUrl?: string;
  /** the sender is of another domain than the one that signs, which would only name another brand */
  readonly isUnsigned?: boolean;
}

/** Sends mail. Rejects when the mail was not accepted within `sendTimeoutMs`; the outbox then retries. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  /** whether the mail server accepts this shop's login, without sending mail; for `operator -- doctor` */
  check?(): Promise<ProviderCheck>;
}

/** Sends nothing: mail stays in the outbox, where `/dev/outbox` shows it. */
export const outboxOnly: Mailer = { send: () => Promise.resolve() };

/**
 * Mail clients show an unsubscribe button for these, and their servers call it without opening the mail (RFC 2369, RFC
 * 8058).
 */
const listHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** No mail server answers such a mail with an absence note (RFC 3834, section 5). */
const ofMachine = { 'Auto-Submitted': 'auto-generated' };

/** The address permanently rejects mail: the mailbox or the domain does not exist. */
export class AddressRejected extends MessageRefused {}

/** The DKIM key that signs mail (RFC 6376), as PEM. */
interface DkimKey {
  readonly domainName: string;
  readonly keySelector: string;
  readonly privateKey: string;
}

/**
 * What a signature covers: the headers of the message, and both unsubscribe headers, which RFC 8058 (section 4)
 * requires and the library leaves out.
 */
const signedHeaders =
  'from:to:subject:date:message-id:mime-version:content-type:list-unsubscribe:list-unsubscribe-post';

/**
 * RCPT replies about the mailbox or its domain, and not about the sender, a filter or a temporary state (RFC 3463:
 * 5.1.1, 5.1.2, 5.1.3, 5.1.6, 5.1.10).
 */
const noMailbox = /^5\d\d[ -]5\.1\.(?:1|2|3|6|10)\b/;

/** For connecting, for the greeting and for each reply, unless `SMTP_URL` sets other timeouts. */
const defaultTimeoutMs = 20_000;
/** Aborts a send after this many milliseconds, because a server may delay each of its replies up to its timeout. */
export const sendTimeoutMs = 60_000;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Sends through an SMTP server, `smtp://user:password@host:port`. A password is sent over TLS only: a server without
 * TLS is refused instead of receiving it in clear text (RFC 3207, section 6).
 */
export function smtpMailer(url: string, dkim?: DkimKey, timeoutMs = sendTimeoutMs): Mailer {
  const address = readSmtpUrl(url);
  if (typeof address === 'string') throw new MailServerUnusable(address);
  const { host } = address;
  const transport = createTransport({
    url: address.url,
    requireTLS: address.hasUser && !loopback.test(host),
    connectionTimeout: defaultTimeoutMs,
    greetingTimeout: defaultTimeoutMs,
    socketTimeout: defaultTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    check: () =>
      withConnections(() => transport.verify()).then(
        () => ({ isReachable: true, says: `${host} accepts the login` }),
        (error: unknown) => ({ isReachable: false, says: `SMTP_URL: ${host} ${refusalOf(error)}` }),
      ),
    send: async ({ to, unsubscribeUrl, isUnsigned = false, attachments = [], ...mail }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      // as plain text the library would split it at commas and send to addresses that no caller named
      const addressed = { ...mail, to: { name: '', address: to }, attachments: [...attachments], signal };
      const signed = dkim && !isUnsigned ? { dkim: { ...dkim, headerFieldNames: signedHeaders } } : {};
      const headers = { ...ofMachine, ...(unsubscribeUrl !== undefined && listHeaders(unsubscribeUrl)) };
      await withConnections(() => transport.sendMail({ ...addressed, ...signed, headers })).catch((error: unknown) => {
        const response = error instanceof Error && 'response' in error ? String(error.response) : '';
        if (noMailbox.test(response))
          throw new AddressRejected('the mail server reports that the mailbox does not exist');
        if (isOfServer(error)) throw new MailServerUnusable(`${host} ${refusalOf(error)}`, error);
        throw error instanceof Error ? withoutAddresses(error) : error;
      });
    },
  };
}

/** Mail servers repeat the address that they refuse, and the log contains no account; the stack is kept. */
function withoutAddresses({ message, stack = '' }: Error): Error {
  const clean = (text: string) => text.replaceAll(/[^\s<>"']+@[^\s<>"']+/g, 'address');
  return Object.assign(new Error(clean(message)), { stack: clean(stack) });
}

/** The mail server of `SMTP_URL` cannot be used; the message is one sentence for an operator, without a secret. */
export class MailServerUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MailServerUnusable';
  }
}

/** By the codes of nodemailer, Node and OpenSSL, because a server's own messages may repeat what it received. */
const refusals: Readonly<Record<string, string>> = {
  EAUTH: 'refuses the user or the password; if the password contains %, write that as %25',
  ENOAUTH: 'wants a user and a password',
  ETLS: 'offers no TLS, inside of which alone a password is sent',
  EDNS: 'is not in the DNS',
  ENOTFOUND: 'is not in the DNS',
  EAI_AGAIN: 'is not in the DNS, or the DNS does not answer',
  ECONNREFUSED: 'does not listen at this port; see whether it is 587 (smtp://) or 465 (smtps://)',
  ECONNRESET: 'closes the connection',
  EABORT: 'replies too slowly to accept a mail within a minute',
  EHOSTUNREACH: 'does not answer; see firewalls between it and this machine',
  ENETUNREACH: 'does not answer; see firewalls between it and this machine',
  ETIMEDOUT: 'does not answer; see firewalls, and whether the port is 587 (smtp://) or 465 (smtps://)',
  CERT_HAS_EXPIRED: 'has a TLS certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a TLS certificate for another host',
};

const ownConnection = new Set('ECONNECTION ESOCKET EPROTOCOL'.split(' '));
const ownCa = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET))/;
const plainAnswer = /wrong version number|packet length too long|ERR_SSL/i;

const codesOf = (error: Error): string[] => {
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return error.cause instanceof Error ? [...codesOf(error.cause), ...own] : own;
};

/** The problem, as the rest of a sentence that begins with the host. */
function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return 'does not answer as a mail server';
  const codes = codesOf(error);
  const named = [...codes, ...(error.message.match(/\b[A-Z][A-Z_]{4,}\b/g) ?? [])];
  const known = named.map((code) => refusals[code]).find((words) => words !== undefined);
  if (known !== undefined) return known;
  if (named.some((code) => ownCa.test(code)) || /self[- ]signed|unable to (verify|get)/i.test(error.message)) {
    return 'has a TLS certificate of a CA that this machine does not know; set NODE_EXTRA_CA_CERTS to the file of that CA';
  }
  if (/altname|does not match certificate/i.test(error.message)) return 'has a TLS certificate for another host';
  if (/certificate has expired/i.test(error.message)) return 'has a TLS certificate that has expired';
  if (plainAnswer.test(error.message))
    return 'does not speak TLS at this port; write smtp:// for 587, smtps:// for 465';
  return 'does not answer as a mail server';
}

/** Whether an error concerns the server and not one message. */
function isOfServer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codesOf(error).some((code) => code in refusals || ownConnection.has(code));
}

/** Options that nodemailer reads from the URL (nodemailer.com/smtp); those of `tls` begin with `tls.`. */
const options = new Set(
  (
    'secure name localAddress ignoreTLS requireTLS opportunisticTLS connectionTimeout greetingTimeout socketTimeout ' +
    'dnsTimeout pool maxConnections maxMessages rateDelta rateLimit authMethod family service logger debug servername ' +
    'tls.rejectUnauthorized tls.servername tls.minVersion tls.maxVersion tls.ciphers'
  ).split(' '),
);

interface SmtpAddress {
  /** as nodemailer reads it, with the user and password encoded */
  readonly url: string;
  /** an IPv6 address is in brackets */
  readonly host: string;
  /** whether it contains a user */
  readonly hasUser: boolean;
}

/** Parses `SMTP_URL`; returns one sentence about the problem where it is invalid. */
export function readSmtpUrl(text: string): SmtpAddress | string {
  const isOption = (name: string) => options.has(name);
  const url = readServiceUrl(text, isOption);
  const unknown = url || !/^\s*smtps?:/i.test(text) ? undefined : unknownParameter(text, isOption);
  if (unknown !== undefined) return `has the parameter ${unknown}, which nodemailer does not know`;
  const example = 'must be smtp://user:password@host:587 or smtps://user:password@host:465';
  if (!url || !/^smtps?$/.test(url.scheme)) return example;
  const [first] = url.hosts;
  if (!first || first.host === '') return example;
  if (url.hosts.length > 1) return 'must name one host';
  if (Number(first.port) > 65_535) return `has the port ${first.port}, and ports end at 65535`;
  const written = writeServiceUrl(url, first);
  if (!URL.canParse(written)) return example;
  return { url: written, host: first.host, hasUser: (url.user ?? '') !== '' };
}

/** The schema of `SMTP_URL`. */
export const smtpUrlSetting = v.pipe(
  v.string(),
  v.trim(),
  v.rawCheck(({ dataset, addIssue }) => {
    const address = dataset.typed ? readSmtpUrl(dataset.value) : '';
    if (typeof address === 'string') addIssue({ message: address });
  }),
);
