import type { DatabaseAddress } from './database-url.ts';

/** PostgreSQL cannot be used as `DATABASE_URL` describes it; the message is one sentence for an operator, without a secret. */
export class DatabaseUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseUnusable';
  }
}

/** The server is reachable, but takes no writes. */
export class ReadOnlyServer extends Error {
  constructor() {
    super('is a standby or read-only, and the shop writes');
    this.name = 'ReadOnlyServer';
  }
}

type Place = Pick<DatabaseAddress, 'user' | 'database'> & { readonly name: string };

/** By the codes of Node, OpenSSL and PostgreSQL (appendix A). */
const sentences: Readonly<Record<string, (place: Place) => string>> = {
  ECONNREFUSED: ({ name }) => `nothing listens at ${name}; see that PostgreSQL runs there and accepts this machine`,
  ENOTFOUND: ({ name }) => `the host of ${name} is not in the DNS; see that it is spelt as its provider says`,
  EAI_AGAIN: ({ name }) => `the host of ${name} is not in the DNS, or the DNS does not answer`,
  ECONNRESET: ({ name }) =>
    `${name} closes the connection; see that it is PostgreSQL, and whether it wants sslmode=require`,
  EPIPE: ({ name }) => `${name} closes the connection; see that it is PostgreSQL`,
  CERT_HAS_EXPIRED: ({ name }) => `the TLS certificate of ${name} has expired`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ name }) =>
    `the TLS certificate of ${name} is for another host; write the host as the certificate names it`,
  '28P01': ({ user }) =>
    `PostgreSQL refuses the password of the user ${user ?? ''}; if the password contains %, write that as %25`,
  '3D000': ({ database, name }) => `there is no database ${database} at ${name}; create it with \`createdb\``,
  '42501': ({ user }) => `the user ${user ?? ''} may not create tables; make it the owner of the database`,
  '53300': ({ name }) => `${name} has no connection left; raise its max_connections`,
  '57P03': ({ name }) => `${name} is starting or stopping; try again in a moment`,
};

const ownCa = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const byWords: readonly (readonly [RegExp, (place: Place) => string])[] = [
  [/does not support SSL/, ({ name }) => `${name} offers no TLS; turn it on there, or remove sslmode`],
  [/error establishing an SSL|wrong version number/i, ({ name }) => `${name} does not speak TLS as PostgreSQL does`],
  [
    /password must be a/,
    ({ user }) => `PostgreSQL wants a password of the user ${user ?? ''}, and the address has none`,
  ],
  [
    /timeout expired|timeout exceeded|connection timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    ({ name }) => `${name} does not answer; see firewalls between it and this machine`,
  ],
  [/^Connection terminated/, ({ name }) => `${name} closes the connection; see that it is PostgreSQL`],
];

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Why a server cannot be used, in one sentence. */
export function sentenceOf(error: unknown, place: Place): string {
  if (error instanceof DatabaseUnusable) return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0], place);
  if (!(error instanceof Error)) return `${place.name} cannot be used`;
  if (error instanceof ReadOnlyServer) return `${place.name} ${error.message}`;
  const code = codeOf(error);
  const known = sentences[code] ?? byWords.find(([words]) => words.test(code) || words.test(error.message))?.[1];
  if (known) return known(place);
  if (ownCa.has(code)) {
    return (
      `the TLS certificate of ${place.name} is signed by a CA that this machine does not know; ` +
      'save the certificate of that CA in a file and add sslrootcert=/path/to/ca.pem'
    );
  }
  if (code === 'ENOENT' && 'path' in error) return `the file ${String(error.path)} that it names does not exist`;
  return `${place.name} cannot be used: ${error.message.split('\n')[0] ?? ''}`;
}
