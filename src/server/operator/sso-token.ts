import * as v from 'valibot';
import { languageSchema, ownPathSchema } from '../../contract/fields.ts';
import { systemRandom } from '../process/random.ts';
import { makeSsoToken, type SsoSource, ssoKey } from '../sign-on/sso-token.ts';
import { readBrandOptions, brandOptions, type NamedBrand, brandOption } from './brand-options.ts';
import { OperatorError, type LocalCommand, type Given, need } from './command.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../env.ts';

/** What says to the storefront where a link comes from. */
const sourceTypes: Record<SsoSource, string> = { app: 'APP', qr: 'STB' };

/** Prints a token and a link that carries it, for trying: as the app or a box would make them. */
export const ssoTokenCommand: LocalCommand = {
  name: 'sso-token',
  summary: 'prints a single sign-on token and a link with it, for trying',
  options: {
    ...brandOptions,
    uid: { value: 'uid', summary: 'whom it signs in, by uid' },
    account: { value: 'account', summary: 'or by address or number with its area code' },
    src: { value: 'app|qr', summary: 'where the link stands: app is good for a minute, qr for ten (app)' },
    to: { value: '/path', summary: 'where the link leads (/pricing-table)' },
    language: { value: 'en|pt|es|ru', summary: 'language of the page (en)' },
  },
  run: async (given, { settings, clock, print, explain }) => {
    const brand = readBrandOptions(given, settings);
    const src = sourceOf(given['src'] ?? 'app');
    const { uid, account } = given;
    if (!uid && !account) throw new OperatorError('--uid or --account is missing.', { badUsage: true });
    const lifetimeSeconds = src === 'app' ? settings.SSO_APP_SECONDS : settings.SSO_QR_SECONDS;
    const wish = { uid, account, src, jti: systemRandom.id(), issuedAt: clock(), lifetimeSeconds };
    const token = await makeSsoToken(shopSecret(settings), brand, wish);
    const link = linkWith(token, brand, given, src);
    print(token);
    print(link);
    explain(`Good once, for ${lifetimeSeconds} seconds from now. The link holds the token.`);
  },
};

function sourceOf(text: string): SsoSource {
  if (text === 'app' || text === 'qr') return text;
  throw new OperatorError(`--src ${text} is neither app nor qr.`, { badUsage: true });
}

/** All three of `t`, `a` and `e` make the storefront sign on. */
function linkWith(token: string, { origin }: NamedBrand, given: Given, src: SsoSource): string {
  const { to = '/pricing-table', language = 'en', uid, account } = given;
  const fits = v.is(ownPathSchema, to) && v.is(languageSchema, language);
  if (!fits)
    throw new OperatorError('--to is a path of the shop, and --language one of its languages.', { badUsage: true });
  const link = new URL(to, origin);
  const entry = { t: token, a: uid ?? account ?? '', e: account ?? uid ?? '', la: language, st: sourceTypes[src] };
  for (const [name, value] of Object.entries(entry)) link.searchParams.set(name, value);
  return link.href;
}

/** Prints the key by which the app's own server signs tokens ([Note: Single sign-on]). */
export const ssoKeyCommand: LocalCommand = {
  name: 'sso-key',
  summary: 'prints the key that signs single sign-on tokens of a brand',
  options: { brand: brandOption },
  run: async (given, { settings, print, explain }) => {
    const code = need(given, 'brand');
    print(Buffer.from(ssoKey(shopSecret(settings), { code })).toString('base64url'));
    explain(`Key of brand ${code}: 32 bytes in base64url, for HS256. Whoever has it can sign in as anyone there.`);
  },
};

/**
 * The secret of the shop, as it has it. Never makes one: a secret that the shop does not have would sign tokens that
 * nobody believes.
 */
function shopSecret({ SIGNING_SECRET, DATA_DIR }: Settings): { SIGNING_SECRET: string } {
  return { SIGNING_SECRET: SIGNING_SECRET ?? readSecret(join(DATA_DIR, 'secret')) };
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
    throw new OperatorError(
      `There is no secret at ${file} yet. Start the shop once, or set SIGNING_SECRET or DATA_DIR as the shop has them.`,
    );
  }
}
