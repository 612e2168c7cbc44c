import * as v from 'valibot';
import { languageSchema, ownPathSchema } from '../../contract/fields.ts';
import { systemRandom } from '../random.ts';
import { makeSsoToken, type SsoSource } from '../sign-on/sso-token.ts';
import { brandGiven, brandOptions, type BrandGiven } from './brand-given.ts';
import { OperatorError, type Command, type Given } from './command.ts';
import { shopSecret } from './secret.ts';

/** What says to the storefront where a link comes from (spec 6). */
const sourceTypes: Record<SsoSource, string> = { app: 'APP', qr: 'STB' };

/** Prints a token and a link that carries it, for trying: as the app or a box would make them. */
export const ssoTokenCommand: Command = {
  name: 'sso-token',
  says: 'prints a single sign-on token and a link with it, for trying',
  options: {
    ...brandOptions,
    uid: { value: 'uid', says: 'whom it signs in, by uid' },
    account: { value: 'account', says: 'or by address or number with its area code' },
    src: { value: 'app|qr', says: 'where the link stands: app is good for a minute, qr for ten (app)' },
    to: { value: '/path', says: 'where the link leads (/pricing-table)' },
    language: { value: 'en|pt|es|ru', says: 'language of the page (en)' },
  },
  run: async (given, { settings, clock, print, explain }) => {
    const brand = brandGiven(given, settings);
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

/** All three of `t`, `a` and `e` make the storefront sign on (spec 2, "Entry parameters"). */
function linkWith(token: string, { origin }: BrandGiven, given: Given, src: SsoSource): string {
  const { to = '/pricing-table', language = 'en', uid, account } = given;
  const fits = v.is(ownPathSchema, to) && v.is(languageSchema, language);
  if (!fits)
    throw new OperatorError('--to is a path of the shop, and --language one of its languages.', { badUsage: true });
  const link = new URL(to, origin);
  const entry = { t: token, a: uid ?? account ?? '', e: account ?? uid ?? '', la: language, st: sourceTypes[src] };
  for (const [name, value] of Object.entries(entry)) link.searchParams.set(name, value);
  return link.href;
}
