import { capabilities, isCapable, type Capability } from '#contract/capabilities.ts';
import { siteConfig } from '#contract/index.ts';
import { openBackend, type Backend, type Send } from './backend.ts';
import { openBook, type Book } from './book.ts';
import { browse } from './browse.ts';
import { buy } from './buy.ts';
import { account, buyByCard, renew, tv } from './further.ts';
import { findCalls, levelsUpTo, probe } from './probes.ts';
import { guessPasswords, signIn, type Account } from './sign-in.ts';

interface Options {
  readonly send: Send;
  /** as a browser sees it */
  readonly origin: string;
  /** those that the backend names in its site config, or all, if none are given */
  readonly levels: readonly Capability[] | undefined;
  /** two accounts of the backend; without them two are signed up */
  readonly accounts: readonly Account[];
}

/**
 * Checks a backend against the contract, over HTTP and without knowing anything else about it. Creates accounts and
 * orders, so it is not for a shop with customers.
 */
export async function checkConformance({ send, origin, levels, accounts }: Options): Promise<Book> {
  const book = openBook();
  const backend = openBackend(send, origin, book);
  const all = [...new Set((levels ?? (await namedLevels(backend))).flatMap(levelsUpTo))];
  const calls = await findCalls(backend, all);
  const brand = await browse(backend);
  const customers = brand && all.includes('signIn') ? await signIn(backend, brand, accounts) : undefined;
  if (brand && customers) {
    if (all.includes('buyByRedirect')) await buy(backend, brand, customers);
    if (all.includes('buyByCard')) await buyByCard(backend, brand, customers);
    if (all.includes('renew')) await renew(backend, customers);
    if (all.includes('account')) await account(backend, customers);
    if (all.includes('tv')) await tv(backend, customers);
  }
  for (const endpoint of calls) await probe(backend, endpoint, customers?.[0].token);
  if (customers) await guessPasswords(backend, customers[1].account);
  return book;
}

async function namedLevels({ call }: Backend): Promise<readonly Capability[]> {
  const { data = {} } = await call(siteConfig, {});
  return capabilities.filter((one) => isCapable(data, one));
}
