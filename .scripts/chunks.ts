import type { Plugin, Rolldown } from 'vite';
import { ModuleGraph } from './module-graph.ts';

/**
 * [Note: Chunks] Few files, because each costs a round trip on a slow network, and none so small that it is not worth its
 * request. Which module goes where follows from who needs it, name by name, found by walking the imports:
 *
 * - `vendor` and `shop`: what the storefront starts with, and what the login shares with the prices or with home;
 * - `main`: home, its layout, which is that of most pages, and what the prices share with them;
 * - `plans`: the rest of the prices;
 * - `form`: what the login shares with other pages, and its layout;
 * - `soon` and `more`: the parts of the prices, and of home, that live a little later, `drawings`: what home shares with other pages;
 * - `passkeys`: the same of the login;
 * - `idle`: what no page waits for, and what those parts share with other pages;
 * - `address`: what reads an address that carries something;
 * - `own`: what at least three of the other pages share, or two, where it is too little for a file, and what fetches a
 *   customer's pages ahead.
 *
 * A group takes along what its modules import, but for what belongs to a group before it: their order matters. What only
 * one page needs stays with that page. `tests/budgets.test.ts` counts and weighs what comes of it.
 */
const names = [
  'index',
  'vendor',
  'shop',
  'main',
  'plans',
  'form',
  'idle',
  'soon',
  'drawings',
  'more',
  'passkeys',
  'address',
  'own',
] as const;
type Name = (typeof names)[number];

/** What is shared by two pages comes as a file of its own from here on: characters, before they are made few. */
const worthAFile = 6000;

/**
 * [Note: Compiled early] What runs before a page lives is read and compiled as it comes, beside the page's own thread;
 * otherwise that thread does it function by function, which took more of it than running them. Engines that do not know
 * this line (before Chrome 136) pass over it; it has to be the first of its file.
 */
const hint = '//# allFunctionsCalledOnLoad';
const hinted: ReadonlySet<string> = new Set<Name | 'start'>(['vendor', 'shop', 'start']);

const isVendor = (id: string) => id.includes('/node_modules/') && !id.includes('/lucide-react/');
const isPricing = (id: string) => id.includes('/routes/_main/pricing-table.tsx?tsr-split=');
const isPlan = (id: string) => id.includes('/routes/_main/plan-details.$id.tsx?tsr-split=');
const isHome = (id: string) => id.includes('/routes/_main/index.tsx?tsr-split=');
const isMainLayout = (id: string) => id.includes('/routes/_main.tsx?tsr-split=');
const isLogin = (id: string) => id.includes('/routes/_auth/login.tsx?tsr-split=');
const isAuthLayout = (id: string) => id.includes('/routes/_auth.tsx?tsr-split=');
const shop = [isHome, isPricing, isMainLayout];
const signIn = [isLogin, isAuthLayout];
const isLater = (id: string) => id.endsWith('/app/start-later.ts');
const isExtras = (id: string) => id.endsWith('/shells/extras.tsx');
const isWire = (id: string) => id.endsWith('/api/send.ts');
const isLeave = (id: string) => id.endsWith('/auth/leave.ts');
const isAddress = (id: string) => id.endsWith('/entry/read-address.ts');
const isCopies = (id: string) => id.endsWith('/app/open-copies.ts');
const idle = [isLater, isExtras, isWire, isLeave];

/** Parts of the prices, and of home, that every visitor of them gets a little later. */
const soon = [
  '/features/plans/all-plans.tsx',
  '/features/plans/currency-picker.tsx',
  '/features/plans/in-every-plan.tsx',
] as const;
const more = ['/features/home/home-more.tsx', '/features/home/home-plans.tsx', '/ui/art/hero-art.tsx'] as const;
const isPasskeys = (id: string) => id.endsWith('/auth/passkey-login.tsx');
const isSoon = (id: string) => soon.some((part) => id.endsWith(part));
const isMore = (id: string) => more.some((part) => id.endsWith(part));

export function chunks() {
  /** the page's own script, which needs nothing of the rest before it asks for it ([Note: Entry]) */
  const page = new Set<string>();
  /** the modules that are there from the start */
  const first = new Set<string>();
  /** by module: what is imported later and needs it */
  const owners = new Map<string, Set<string>>();
  /** what two pages share that have `own` anyway, and is too little for a file */
  const little = new Set<string>();

  function nameOf(id: string): Name | undefined {
    if (page.has(id)) return 'index';
    const by = [...(owners.get(id) ?? [])];
    const isFor = (pages: readonly ((page: string) => boolean)[]) => by.some((one) => pages.some((is) => is(one)));
    if (first.has(id) || (isFor(shop) && isFor(signIn))) return isVendor(id) ? 'vendor' : 'shop';
    if (isFor([isMainLayout, isHome])) return 'main';
    if (isFor([isPricing])) return by.every((one) => isPricing(one) || isPlan(one) || isSoon(one)) ? 'plans' : 'main';
    if (idle.some((is) => is(id))) return 'idle';
    if (isFor([isAuthLayout]) || (isFor([isLogin]) && by.length > 1)) return 'form';
    if (isFor([isSoon, isMore, isPasskeys]) && by.length > 3) return 'idle';
    if (isFor([isSoon])) return 'soon';
    if (isFor([isMore])) return by.every(isMore) ? 'more' : 'drawings';
    if (isFor([isPasskeys])) return 'passkeys';
    if (isFor([isCopies])) return 'own';
    if (isFor([isAddress])) return 'address';
    // Whatever else is imported by itself stays by itself.
    if (by.includes(id)) return undefined;
    if (isFor([isLater, isExtras])) return 'idle';
    return by.length > 2 || little.has(id) ? 'own' : undefined;
  }

  const groups = names.map((name, place) => ({
    name,
    test: (id: string) => nameOf(id) === name,
    priority: names.length - place,
  }));
  return {
    groups,
    /** before the name of a file is made from its bytes */
    postBanner: ({ name }: { readonly name: string }) => (hinted.has(name) ? hint : ''),
    plugin: plugin({ page, first, owners, little, nameOf }),
  };
}

interface Reached {
  readonly page: Set<string>;
  readonly first: Set<string>;
  readonly owners: Map<string, Set<string>>;
  readonly little: Set<string>;
  readonly nameOf: (id: string) => Name | undefined;
}

/** What exactly two pages share that get `own` anyway, where all that these two share is too little for a file. */
function littleOf({ owners, nameOf }: Reached, sizeOf: (id: string) => number): string[] {
  const inOwn = [...owners].filter(([id]) => nameOf(id) === 'own');
  const withOwn = new Set(inOwn.flatMap(([, by]) => [...by]));
  const pairs = new Map<string, string[]>();
  for (const [id, by] of owners) {
    if (by.size !== 2 || by.has(id) || nameOf(id) || ![...by].every((page) => withOwn.has(page))) continue;
    const pair = [...by].sort().join(' ');
    pairs.set(pair, [...(pairs.get(pair) ?? []), id]);
  }
  return [...pairs.values()].filter((ids) => ids.reduce((sum, id) => sum + sizeOf(id), 0) < worthAFile).flat();
}

function plugin(reached: Reached): Plugin {
  const { page, first, owners, little } = reached;
  let root = '';
  return {
    name: 'marquee:chunks',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => void (root = config.root),
    async buildEnd(error) {
      if (error) return;
      for (const found of [page, first, owners, little]) found.clear();
      const graph = new ModuleGraph(this);
      const ids = [...this.getModuleIds()];
      assertThere(ids);
      for (const id of ids) {
        const info = this.getModuleInfo(id);
        if (info?.isEntry) await graph.reach(id, id.endsWith('/index.html') ? page : first);
        for (const entry of info?.dynamicallyImportedIds ?? [])
          for (const needed of await graph.reach(entry, new Set()))
            owners.set(needed, (owners.get(needed) ?? new Set()).add(entry));
      }
      for (const id of littleOf(reached, (one) => this.getModuleInfo(one)?.code?.length ?? 0)) little.add(id);
    },
    generateBundle: {
      // when the manifest and the page are there
      order: 'post',
      handler: (_options, bundle) => nameMerged(bundle, root),
    },
  };
}

/** What is named above is there: a file that has moved is named anew, and its bytes stay where they are. */
function assertThere(ids: readonly string[]): void {
  for (const part of [...soon, ...more])
    if (!ids.some((id) => id.endsWith(part))) throw new Error(`No module is meant by ${part}`);
  for (const named of [...shop, ...signIn, ...idle, isPlan, isPasskeys, isCopies, isAddress])
    if (!ids.some(named)) throw new Error(`No module is meant by ${String(named)}`);
}

/** A page that was put together with others has lost its name in the manifest, by which the server looks for its file. */
function nameMerged(bundle: Rolldown.OutputBundle, root: string): void {
  const manifest = bundle['.vite/manifest.json'];
  if (manifest?.type !== 'asset') throw new Error('The build has no manifest');
  // as: Vite writes this file
  const entries = JSON.parse(String(manifest.source)) as Record<string, { file: string }>;
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk') continue;
    const entry = Object.values(entries).find(({ file }) => file === chunk.fileName);
    for (const id of chunk.moduleIds) {
      const name = id.slice(root.length + 1);
      if (entry && id.includes('?tsr-split=')) entries[name] ??= entry;
    }
  }
  manifest.source = JSON.stringify(entries, undefined, 2);
}
