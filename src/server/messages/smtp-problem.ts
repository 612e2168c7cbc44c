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
export function refusalOf(error: unknown): string {
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
export function isOfServer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codesOf(error).some((code) => code in refusals || ownConnection.has(code));
}
