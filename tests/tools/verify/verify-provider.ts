import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import type { Deps } from '#server/deps.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { sandbox } from '#sandbox/sandbox.ts';

/**
 * `npm run verify:provider -- <name>`: verifies an adapter against the provider's test system, with the test keys of
 * the environment. Each file of `providers/` is named after its provider, lists the required variables and exports
 * `prove`. Each result is printed; the first wrong one exits with 1. `npm test` runs none of this.
 */
export interface Proof {
  readonly needs: readonly string[];
  prove(tools: Tools): Promise<void>;
}

export interface Tools {
  /** the environment */
  readonly env: Readonly<Record<string, string>>;
  /** a shop in memory with the real clock, where the provider is the gateway of a payment method */
  shop(wish: { gateway: string; methodCode: string; currency: string }): Promise<Shop>;
  /** prints a result; throws when it is wrong */
  see(what: string, isSo: boolean): void;
  wait(seconds: number): Promise<void>;
}

const folder = fileURLToPath(new URL('./providers', import.meta.url));
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
const [name = ''] = process.argv.slice(2);
if (!names.includes(name)) {
  console.info(`Which provider? One of ${names.join(', ')}.`);
  process.exit(2);
}
// as: every file of the folder exports a proof, which its `satisfies` checks
const { proof } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as { proof: Proof };
const missing = proof.needs.filter((one) => !process.env[one]);
if (missing.length > 0) {
  console.info(`Set ${missing.join(', ')} to the test keys of ${name}.`);
  process.exit(2);
}
const environment = Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
const shops: Shop[] = [];
const tools: Tools = {
  env: Object.fromEntries(environment) as Record<string, string>, // as: variables without a value were omitted
  shop: async ({ gateway, methodCode, currency }) => {
    const providerEnv = Object.entries(tools.env).filter(
      ([key]) => proof.needs.includes(key) || key.startsWith(name.toUpperCase()),
    );
    const withRealClock = (base: Deps) => ({
      clock: Date.now,
      gateways: openGateways({ ...base, clock: Date.now }, sandbox),
    });
    const shop = await aShop(undefined, { env: Object.fromEntries(providerEnv), deps: withRealClock });
    shops.push(shop);
    const columns = { gateway, currencies: [currency] };
    await shop.db.update(paymentMethods).set(columns).where(eq(paymentMethods.code, methodCode));
    await shop.deps.catalog.refresh();
    return shop;
  },
  see: (what, isSo) => {
    console.info(`${isSo ? 'yes' : 'NO '}  ${what}`);
    if (!isSo) throw new Error(what);
  },
  wait: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
};
let code = 0;
try {
  await proof.prove(tools);
  console.info(`${name} works as this shop expects.`);
} catch (error) {
  console.info(error instanceof Error ? error.message : error);
  code = 1;
} finally {
  for (const shop of shops) await shop.close();
}
// databases in memory and open connections would keep the process running
process.exit(code);
