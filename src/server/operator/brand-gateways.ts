import { knownCurrencies } from '#contract/money.ts';
import type { Contradiction } from '#server/brand/folder/contradictions.ts';
import type { FindOutside } from '#server/brand/folder/read-folder.ts';
import type { BrandFile } from '#server/brand/folder/schema.ts';
import { didYouMean } from '#server/brand/folder/near-names.ts';
import { knownProviders, type KnownProvider } from '#server/payments/known-providers.ts';
import { loadSandbox } from '#server/runtime/wiring/open-deps.ts';

type Providers = Readonly<Record<string, KnownProvider>>;

/**
 * Finds methods that no installation can charge: of an unknown gateway, or in a currency that it does not take. Whether
 * this installation has an account there is checked by `doctor`.
 */
export async function openGatewayCheck(): Promise<FindOutside> {
  const { simulatedProviders } = await loadSandbox();
  const providers: Providers = { ...simulatedProviders, ...knownProviders };
  const simulated = Object.keys(simulatedProviders).filter((name) => !Object.hasOwn(knownProviders, name));
  const names = `${Object.keys(knownProviders).join(', ')}, and in a demo ${simulated.join(', ')}`;
  return ({ methods }) => methods.flatMap((method, index) => faultsOf(method, index, { providers, names }));
}

type Method = BrandFile['methods'][number];

interface Known {
  readonly providers: Providers;
  /** for a sentence */
  readonly names: string;
}

function faultsOf({ code, gateway, currencies }: Method, index: number, { providers, names }: Known): Contradiction[] {
  const at = (name: string) => ['methods', index, name];
  const provider = Object.hasOwn(providers, gateway) ? providers[gateway] : undefined;
  if (!provider) {
    const message = `there is no gateway ${gateway}, only ${names}${didYouMean(gateway, Object.keys(providers))}`;
    return [{ path: at('gateway'), message }];
  }
  const { methods = [code] } = provider;
  if (!methods.includes(code)) {
    const message = `${gateway} has no method ${code}, only ${methods.join(', ')}${didYouMean(code, methods)}`;
    return [{ path: at('code'), message }];
  }
  return currencies
    .filter((currency) => !provider.takes(code, currency))
    .map((currency) => ({
      path: at('currencies'),
      message: `${gateway} cannot charge ${code} in ${currency}; ${chargedIn(code, provider)}`,
    }));
}

/** The currencies of a method, or only their number where there are many. */
function chargedIn(code: string, { takes }: KnownProvider): string {
  const taken = knownCurrencies().filter((currency) => takes(code, currency));
  return taken.length > 24 ? `it can in ${taken.length} others` : `it can in ${taken.join(', ')}`;
}
