import * as v from 'valibot';
import { languages, languageSchema, ownPathSchema } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { makeSsoToken, type SsoSource, ssoKey } from '#server/auth/sign-on/sso-token.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { requireOption, OperatorError, type OptionValues, type ShopCommand } from './command.ts';
import { findNamedCustomer, customerOptions } from './customers.ts';
import { assertOwnSecret, brandOf, brandOption } from './open-shop.ts';

/** The source of a link, as its parameter names it. */
const sourceTypes: Record<SsoSource, string> = { app: 'APP', qr: 'STB' };

/** Prints a token and a link with it for testing, as the app or a TV device would create them. */
export const ssoTokenCommand: ShopCommand = {
  name: 'sso-token',
  summary: 'prints a single sign-on token and a link with it, for testing',
  options: {
    ...customerOptions,
    src: { value: 'app|qr', summary: 'where the link is used: app is valid for one minute, qr for ten (app)' },
    to: { value: '/path', summary: 'where the link leads (/pricing-table)' },
    language: { value: languages.join('|'), summary: 'language of the page (en)' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { settings, deps, print, explain } = shop;
    assertOwnSecret(shop);
    const src = sourceOf(given['src'] ?? 'app');
    const target = targetOf(given);
    const { brand, user, account } = await findNamedCustomer(given, shop);
    const lifetimeSeconds = src === 'app' ? settings.SSO_APP_SECONDS : settings.SSO_QR_SECONDS;
    const claims = { uid: user.uid, src, jti: deps.random.id(), issuedAt: deps.clock(), lifetimeSeconds };
    const token = await makeSsoToken(deps.env, brand, claims);
    // recorded first: a token that is not in the audit log must not be printed
    const change = { command: 'sso-token', brand: brand.code, subject: user.uid, detail: { src, jti: claims.jti } };
    await writeAudit(deps.db, given, change, deps);
    print(token);
    print(buildSsoLink(token, brand, { ...target, src, account }));
    explain(`Valid once, for ${lifetimeSeconds} seconds from now. The link contains the token.`);
  },
};

function sourceOf(text: string): SsoSource {
  if (text === 'app' || text === 'qr') return text;
  throw new OperatorError(`--src ${text} is neither app nor qr.`, { badUsage: true });
}

function targetOf({ to = '/pricing-table', language = 'en' }: OptionValues): { to: string; language: string } {
  if (v.is(ownPathSchema, to) && v.is(languageSchema, language)) return { to, language };
  throw new OperatorError('--to is a path of the shop, and --language one of its languages.', { badUsage: true });
}

interface LinkOptions {
  readonly src: SsoSource;
  /** path of the shop */
  readonly to: string;
  readonly language: string;
  /** address, number with its area code, or uid */
  readonly account: string;
}

/** The storefront signs on only with all three of `t`, `a` and `e`. */
export function buildSsoLink(
  token: string,
  { origin }: Pick<Brand, 'origin'>,
  { src, to, language, account }: LinkOptions,
): string {
  const link = new URL(to, origin);
  const entry = { t: token, a: account, e: account, la: language, st: sourceTypes[src] };
  for (const [name, value] of Object.entries(entry)) link.searchParams.set(name, value);
  return link.href;
}

/** Prints the key with which the app's own server signs tokens. */
export const ssoKeyCommand: ShopCommand = {
  name: 'sso-key',
  summary: 'prints the key that signs single sign-on tokens of a brand',
  options: { brand: brandOption, ...auditOptions },
  inShop: async (given, shop) => {
    const { deps, print, explain } = shop;
    assertOwnSecret(shop);
    const { code } = brandOf(deps, requireOption(given, 'brand'));
    await writeAudit(deps.db, given, { command: 'sso-key', brand: code, subject: code }, deps);
    print(Buffer.from(ssoKey(deps.env, { code })).toString('base64url'));
    explain(
      `Key of brand ${code}: 32 bytes in base64url, for HS256. Anyone with this key can log in as any customer of the brand.`,
    );
  },
};
