import * as v from 'valibot';
import { readServiceUrl, unknownParameter, writeServiceUrl } from '#server/runtime/service-url.ts';

/** Options that nodemailer reads from the URL (nodemailer.com/smtp); those of `tls` begin with `tls.`. */
const options = new Set(
  (
    'secure name localAddress ignoreTLS requireTLS opportunisticTLS connectionTimeout greetingTimeout socketTimeout ' +
    'dnsTimeout pool maxConnections maxMessages rateDelta rateLimit authMethod family service logger debug servername ' +
    'tls.rejectUnauthorized tls.servername tls.minVersion tls.maxVersion tls.ciphers'
  ).split(' '),
);

export interface SmtpAddress {
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
