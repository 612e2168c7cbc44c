import * as contract from '#contract/passkeys.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './own-passkeys.ts';
import { beginPasskeyLogin, passkeyLogin } from './passkey-login.ts';

/** The passkey endpoints. */
export const passkeyHandlers = {
  listPasskeys: bind(contract.listPasskeys, listPasskeys),
  beginPasskey: bind(contract.beginPasskey, beginPasskey),
  addPasskey: bind(contract.addPasskey, addPasskey),
  renamePasskey: bind(contract.renamePasskey, renamePasskey),
  removePasskey: bind(contract.removePasskey, removePasskey),
  beginPasskeyLogin: bind(contract.beginPasskeyLogin, beginPasskeyLogin),
  passkeyLogin: bind(contract.passkeyLogin, passkeyLogin),
};
