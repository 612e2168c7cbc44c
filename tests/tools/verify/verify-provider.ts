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
 * `npm run verify:provider -- <name>`: meets the provider itself, with the test keys of the environment. Each file of
 * `providers/` is one, by its name; it says which variables it needs and exports `prove`. Nothing here runs in `npm test`.
 * What is proved is said line by line; the first thing that is otherwise ends it with 1.
 */
export interface Proof {
  readonly needs: readonly string[];
  prove(tools: Tools): Promise<void>;
}

export interface Tools {
  /** the variables that it needs */
  readonly env: Readonly<Record<string, string>>;
  /** a shop in memory, by the real clock, where a method of a brand is taken by the provider */
  shop(wish: { gateway: string; methodCode: string; currency: string }): Promise<Shop>;
  /** says what was seen; throws where it is not so */
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
// as: every file of the folder is a proof, which its own `satisfies` asks of it
const { proof } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as { proof: Proof };
const missing = proof.needs.filter((one) => !process.env[one]);
if (missing.length > 0) {
  console.info(`Set ${missing.join(', ')} to the test keys of ${name}.`);
  process.exit(2);
}
const given = Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
const shops: Shop[] = [];
const tools: Tools = {
  env: Object.fromEntries(given) as Record<string, string>, // as: what has no value was left out
  shop: async ({ gateway, methodCode, currency }) => {
    const wanted = Object.entries(tools.env).filter(
      ([key]) => proof.needs.includes(key) || key.startsWith(name.toUpperCase()),
    );
    const byTheClock = (base: Deps) => ({
      clock: Date.now,
      gateways: openGateways({ ...base, clock: Date.now }, sandbox),
    });
    const shop = await aShop(undefined, { env: Object.fromEntries(wanted), deps: byTheClock });
    shops.push(shop);
    const asIfOurs = { gateway, currencies: [currency] };
    await shop.db.update(paymentMethods).set(asIfOurs).where(eq(paymentMethods.code, methodCode));
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
  console.info(`${name} is as this shop believes.`);
} catch (error) {
  console.info(error instanceof Error ? error.message : error);
  code = 1;
} finally {
  for (const shop of shops) await shop.close();
}
// databases in memory and kept connections would hold the process
process.exit(code);
