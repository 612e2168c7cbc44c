import { ssoKey } from '../sign-on/sso-token.ts';
import { need, type Command } from './command.ts';
import { brandOption } from './brand-given.ts';
import { shopSecret } from './secret.ts';

/** Prints the key by which the app's own server signs tokens ([Note: Single sign-on]). */
export const ssoKeyCommand: Command = {
  name: 'sso-key',
  says: 'prints the key that signs single sign-on tokens of a brand',
  options: { brand: brandOption },
  run: async (given, { settings, print, explain }) => {
    const code = need(given, 'brand');
    print(Buffer.from(ssoKey(shopSecret(settings), { code })).toString('base64url'));
    explain(`Key of brand ${code}: 32 bytes in base64url, for HS256. Whoever has it can sign in as anyone there.`);
  },
};
