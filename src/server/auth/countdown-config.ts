import type * as contract from '../../contract/auth.ts';
import { defaultCountdownSeconds } from '../../contract/limits.ts';
import type { Handler } from '../mount.ts';

export const countdownConfig: Handler<typeof contract.countdownConfig> = (_, { brand, deps }) => ({
  brand: brand.name,
  brandId: brand.code,
  vnoId: brand.code,
  tenantId: brand.tenantId,
  env: deps.env.NODE_ENV,
  caffeineRegionVerify: defaultCountdownSeconds,
});
