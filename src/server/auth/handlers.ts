import * as contract from '../../contract/auth.ts';
import { defaultCountdownSeconds } from '../../contract/limits.ts';
import { bind } from '../mount.ts';
import { login } from './login.ts';
import { closeSession } from './session.ts';
import { signup } from './signup.ts';

/** The calls about who is signed in. */
export const authHandlers = {
  login: bind(contract.login, login),
  signup: bind(contract.signup, signup),
  loginOut: bind(contract.loginOut, async (_, { deps, brand, tokenHash }) => {
    if (tokenHash !== null) await closeSession(deps.db, brand.code, tokenHash);
    return {};
  }),
  countdownConfig: bind(contract.countdownConfig, (_, { brand, deps }) => ({
    brand: brand.name,
    brandId: brand.code,
    vnoId: brand.code,
    tenantId: brand.tenantId,
    env: deps.env.NODE_ENV,
    caffeineRegionVerify: defaultCountdownSeconds,
  })),
};
