import type * as contract from '../../contract/auth.ts';
import type { Handler } from '../mount.ts';
import { closeSession } from './session.ts';

export const loginOut: Handler<typeof contract.loginOut> = async (_, { deps, brand, tokenHash }) => {
  if (tokenHash !== null) await closeSession(deps.db, brand.code, tokenHash);
  return {};
};
