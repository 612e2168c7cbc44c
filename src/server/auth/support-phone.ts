import type * as contract from '../../contract/auth.ts';
import type { Handler } from '../mount.ts';
import { areaCodesIn } from '../site/area-codes.ts';

/** A brand that says what a number looks like takes numbers. */
export const supportPhone: Handler<typeof contract.supportPhone> = (_, { brand, language }) => ({
  supported: brand.config.validRules.phone !== undefined,
  areaCodes: [...new Set(areaCodesIn(language).map(({ areaCode }) => areaCode))],
});
