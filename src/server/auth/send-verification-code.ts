import type * as contract from '../../contract/codes.ts';
import { refuse } from '../api-error.ts';
import type { Handler } from '../mount.ts';
import { identityOf } from './account-rules.ts';
import { requestCode } from './codes.ts';
import { spoken } from './create-user.ts';

export const sendVerificationCode: Handler<typeof contract.sendVerificationCode> = ({ body }, { deps, brand, ip }) => {
  const { scene, captchaId, captcha, device } = body;
  if (scene === 'login' && !brand.config.login.codeLogin) refuse(4598);
  const identity = identityOf(brand, body);
  const language = spoken(brand, body.language);
  return requestCode(deps, { brand: brand.code, identity, scene, language, ip, captchaId, captcha, device });
};
