import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text } from './fields.ts';

/** Ends the session of the token. The account is sent empty. A token that is gone is already logged out. */
export const loginOut = endpoint({
  name: 'loginOut',
  method: 'POST',
  path: '/api/user/loginOut/v1',
  access: 'optional',
  body: v.strictObject({ language: languageSchema, uid: text(40), account: v.literal('') }),
  result: emptySchema,
});

/** Countdown config: which brand this is, and how many seconds between two codes. */
export const countdownConfig = endpoint({
  name: 'countdownConfig',
  method: 'GET',
  path: '/api/user/get/config/v1',
  result: v.object({
    brand: text(60),
    brandId: text(40),
    vnoId: text(40),
    tenantId: text(40),
    env: text(20),
    /** seconds; 60 when the server says nothing */
    caffeineRegionVerify: v.optional(v.pipe(v.number(), v.minValue(1)), 60),
  }),
});
