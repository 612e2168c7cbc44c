import * as v from 'valibot';
import { mailTokenSchema } from '#contract/email.ts';
import { findPathRow } from '#contract/paths.ts';
import { userCodeSchema } from '#contract/sign-on.ts';
import type { Entry } from './aliases.ts';

/** Secrets of the URL, which are removed from it before anything else runs. */
export interface Secrets {
  /** single sign-on, only where the link has all three */
  readonly appToken?: SignOnLink;
  /** the token of a link in an email; empty if the link has one that cannot be valid, such as a cut one */
  readonly mailToken?: string;
  /** the identity provider's response */
  readonly google?: ProviderAnswer;
  /** the code that a TV shows, as XXXX-XXXX */
  readonly userCode?: string;
}

/** The account is the link's claim, which anyone can write; only the server knows the account of the token. */
export interface SignOnLink {
  readonly token: string;
  readonly accountId: string;
  readonly loginId: string;
}

/** An authorization response (RFC 6749, 4.1.2): a code, or the name of an error. */
export interface ProviderAnswer {
  readonly state: string;
  readonly code: string | undefined;
  readonly error: string | undefined;
}

type Pair = readonly [string, string];

interface Address {
  readonly pathname: string;
  /** whether the route reads entry parameters */
  readonly enters: boolean;
  readonly query: readonly Pair[];
  readonly fragment: readonly Pair[];
  readonly appToken: string | undefined;
  readonly entry: Entry;
}

/** A bank or wallet may also call a parameter `token`; the result page reads it from the URL. */
const atResult = new Set(['t', 'apptoken', 'params', 'user_code']);
const everywhere = new Set([...atResult, 'token']);
/** Includes the parameters that the provider adds to its response. */
const atLogin = new Set(
  [...everywhere].concat('code', 'state', 'error', 'error_description', 'scope', 'authuser', 'prompt', 'hd', 'iss'),
);

/**
 * The names that are removed from the URL of this page, in lower case. Each secret one is in the contract's
 * `secretParams`.
 */
export function secretNamesAt(pathname: string): ReadonlySet<string> {
  switch (findPathRow(pathname)?.brings) {
    case 'paymentAnswer':
      return atResult;
    case 'providerAnswer':
      return atLogin;
    default:
      return everywhere;
  }
}

/** The secrets that this page uses. A secret that it does not use, or that is invalid, is dropped. */
export function readSecrets({ pathname, enters, query, fragment, appToken, entry }: Address): Secrets {
  const { accountId, loginId, deviceInfo } = entry;
  const brings = findPathRow(pathname)?.brings;
  // With device information the link leads to the registration, which does not use a token.
  const signsOn = (enters || brings === 'providerAnswer') && deviceInfo === undefined;
  const linkToken = first(query, 'token') ?? first(fragment, 'token');
  const mailToken = brings === 'mailToken' ? linkToken && (fitting(mailTokenSchema, linkToken) ?? '') : undefined;
  const userCode = enters || brings === 'boxCode' ? fitting(userCodeSchema, first(query, 'user_code')) : undefined;
  const google = brings === 'providerAnswer' ? providerAnswer(query) : undefined;
  return {
    ...(signsOn && appToken !== undefined && accountId !== undefined && loginId !== undefined
      ? { appToken: { token: appToken, accountId, loginId } }
      : {}),
    ...(mailToken === undefined ? {} : { mailToken }),
    ...(userCode === undefined ? {} : { userCode }),
    ...(google ? { google } : {}),
  };
}

function providerAnswer(query: readonly Pair[]): ProviderAnswer | undefined {
  const state = first(query, 'state');
  const code = first(query, 'code');
  const error = first(query, 'error');
  if (state === undefined || state.length > 256 || (code ?? error) === undefined) return undefined;
  return { state, code, error };
}

const first = (pairs: readonly Pair[], name: string) => pairs.find(([found]) => found === name)?.[1];

function fitting(schema: v.GenericSchema<unknown, string>, value: string | undefined): string | undefined {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? parsed.output : undefined;
}
