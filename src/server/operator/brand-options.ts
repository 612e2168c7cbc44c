import { demoBrands } from '../sandbox/demo-brands.ts';
import type { Settings } from '../env.ts';
import { need, OperatorError, type Given, type OptionText } from './command.ts';

/** What has to be known of a brand without asking the database, which the shop may hold. */
export interface NamedBrand {
  readonly code: string;
  readonly tenantId: string;
  /** scheme and host of the storefront */
  readonly origin: string;
}

export const brandOption: OptionText = { required: true, value: 'code', summary: 'code of the brand, such as lumen' };

export const brandOptions = {
  brand: brandOption,
  tenant: { value: 'id', summary: 'its tenant id, where it is not a brand of the demonstration' },
  origin: { value: 'url', summary: 'scheme and host of its storefront, where it is not the usual one' },
} as const satisfies Record<string, OptionText>;

/** The brand that was named: one of the demonstration's, or one that is described by options. */
export function readBrandOptions(given: Given, settings: Settings): NamedBrand {
  const code = need(given, 'brand');
  const seeded = demoBrands().find(({ brand }) => brand.code === code)?.brand;
  const tenantId = given['tenant'] ?? seeded?.tenantId;
  const usual = code === settings.DEFAULT_BRAND ? settings.PUBLIC_ORIGIN : undefined;
  const origin = given['origin'] ?? usual ?? (seeded && atPort(seeded.origin, settings.PORT));
  if (tenantId === undefined || origin === undefined) {
    throw new OperatorError(`Brand ${code} is not one of the demonstration: give --tenant and --origin, too.`);
  }
  return { code, tenantId, origin: originOf(origin) };
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new OperatorError(`--origin ${text} is no address such as https://shop.example.`, { badUsage: true });
}

/** The demonstration's brands live on local names, at the port of the shop. */
function atPort(origin: string, port: number): string {
  const url = new URL(origin);
  url.port = String(port);
  return url.origin;
}
