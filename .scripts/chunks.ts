import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Rolldown, Plugin } from 'vite';
import { minify } from 'terser';

type Context = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

const routes = (folder: string, ...names: string[]) => names.map((name) => `src/web/routes/${folder}/${name}.tsx?`);

/** The entry files of separately loaded parts of the storefront; a trailing `?` marks the page component of a route. */
const parts = {
  page: ['index.html'],
  start: ['src/web/app/start.ts'],
  main: ['src/web/routes/_main.tsx?'],
  home: ['src/web/routes/_main/index.tsx?', 'src/web/ui/art/hero.svg?react'],
  pricing: ['src/web/routes/_main/pricing-table.tsx?'],
  plan: ['src/web/routes/_main/plan-details.$id.tsx?'],
  login: ['src/web/routes/_auth/login.tsx?'],
  authLayout: ['src/web/routes/_auth.tsx?'],
  /** below the first screen of home and the plans, loaded slightly later */
  soon: ['all-plans', 'currency-picker'].map((file) => `src/web/features/plans/${file}.tsx`),
  more: ['home-sections.tsx', 'home-plans.tsx'].map((file) => `src/web/features/home/${file}`),
  passkeys: ['src/web/features/auth/other-login-methods.tsx', 'src/web/domain/auth/passkey-login.tsx'],
  /** loaded when the page is idle */
  idle: [
    'app/start-background-features.ts',
    'shells/extras.tsx',
    'platform/api/send.ts',
    'platform/session/storage/debug-key.ts',
    'domain/auth/log-out.ts',
    'ui/alert.tsx',
  ].map((file) => `src/web/${file}`),
  copies: ['src/web/app/open-copies.ts'],
  address: ['src/web/platform/entry/read-address.ts'],
  recovery: routes('_auth', 'forgot-password', 'lost-password', 'resend-confirm', 'reset-password'),
  documents: routes('_main', 'help', 'privacy', '404'),
  account: routes('_main', 'account', 'my-cloud'),
  orders: [...routes('_main', 'orders', 'receipts', 'coupons'), ...routes('_plain', 'receipt')],
  settings: routes('_main', 'settings', 'my-data', 'passkeys'),
  tv: [...routes('_main', 'connect-tv'), ...routes('_plain', 'device', 'stb-orders')],
  links: routes('_plain', 'notice', 'renewal'),
  checkout: [
    ...routes('_main', 'payment'),
    'src/web/features/checkout/next/payment-step-page.tsx',
    'src/web/features/checkout/continue-payment.tsx',
    'src/web/features/checkout/handover/phone-handover.tsx',
    'src/web/features/account/renewal/new-card.tsx',
  ],
} as const;
type Part = keyof typeof parts;

for (const file of Object.values(parts).flat())
  if (!existsSync(fileURLToPath(new URL(`../${file.replace(/\?.*/, '')}`, import.meta.url))))
    throw new Error(`.scripts/chunks.ts names ${file}, which does not exist`);

const isPart = (id: string, part: Part) =>
  parts[part].some((file) => (file.endsWith('?') ? id.includes(`/${file}tsr-split=`) : id.endsWith(`/${file}`)));

/** The parts that need a module, and the number of all its dynamic entries. */
interface Users {
  has(...names: Part[]): boolean;
  /** whether no other part needs it */
  only(...names: Part[]): boolean;
  readonly count: number;
}

/** The dynamically imported modules and entries that lead to this module by static imports. */
function rootsOf(id: string, context: Context): string[] {
  const seen = new Set<string>();
  const roots: string[] = [];
  const visit = (module: string): void => {
    if (seen.has(module)) return;
    seen.add(module);
    const info = context.getModuleInfo(module);
    if (info?.isEntry || info?.dynamicImporters.length) roots.push(module);
    info?.importers.forEach(visit);
  };
  visit(id);
  return roots;
}

function usersOf(id: string, context: Context): Users {
  const roots = rootsOf(id, context);
  const isOf = (root: string, names: readonly Part[]) => names.some((name) => isPart(root, name));
  return {
    has: (...names) => roots.some((root) => isOf(root, names)),
    only: (...names) => roots.every((root) => isOf(root, names)),
    count: roots.length,
  };
}

type Row = readonly [name: string, test: (users: Users, id: string) => boolean];

/** Pages that a customer opens one after the other share a file: each name of a file weighs on every first visit. */
const sections = ['recovery', 'documents', 'account', 'orders', 'settings', 'tv', 'links'] as const;

/**
 * [Note: Chunks] Few files, because each costs a round trip on a slow network. The first matching line names the chunk
 * of a module. A chunk includes the imports of its modules unless an earlier line has assigned them, so shared modules
 * come first.
 */
const table: readonly Row[] = [
  ['index', (users) => users.has('page')],
  ['start', (users) => users.has('start')],
  ['start', (users) => users.has('main', 'home', 'pricing') && users.has('login', 'authLayout')],
  ['main', (users) => users.has('main')],
  ['home', (users) => users.has('home') && users.only('home', 'more')],
  ['plans', (users) => users.has('pricing') && users.only('pricing', 'soon')],
  ['main', (users) => users.has('home', 'pricing')],
  ['form', (users) => users.has('authLayout', 'login')],
  ['main', (users) => users.has('plan') && !users.only('plan')],
  ['plan', (users) => users.has('plan')],
  ['idle', (users) => users.has('soon', 'more', 'passkeys') && users.count > 3],
  ['idle', (_users, id) => isPart(id, 'idle')],
  ['soon', (users) => users.has('soon')],
  ['drawings', (users) => users.has('more') && !users.only('more')],
  ['more', (users) => users.has('more')],
  ['passkeys', (users) => users.has('passkeys')],
  ['own', (users) => users.has('copies')],
  ['address', (users) => users.has('address')],
  ...sections.map((name): Row => [name, (users) => users.only(name)]),
  // a module that is only imported dynamically gets its own chunk
  ['', (_users, id) => id.includes('?tsr-split=')],
  ['idle', (users) => users.has('idle')],
  ['pay', (users) => users.only('checkout') && users.count > 1],
  ['own', (users) => users.count > 1],
];

/** Modules whose users do not tell the right chunk; these come before the table, and are included by its chunks. */
const files: readonly (readonly [name: string, file: RegExp])[] = [
  // icons of the prices or of a plan that other pages draw, too: those must not bring the prices
  ['main', /\/icons\/(?:arrow-(?:left|right)|check|clock|monitor-smartphone)\.svg\?react$/],
  ['own', /\/icons\/(?:calendar-days|download|printer)\.svg\?react$/],
  // what pages read with, and what pages with the main layout read with
  ['start', /\/node_modules\/.*\/react-query\/.*\/useQuery\.js$/],
  ['main', /\/node_modules\/.*\/react-(?:query|router)\/.*\/(?:useSuspenseQuery|useLocation)\.js$/],
  // large, and for few pages of customers
  ['scan', /\/uqr\/|\/ui\/(?:scan-panel|scannable-image)\.tsx?$/],
  ['hash', /\/@noble\/hashes\/|\/domain\/auth\/google-state\.ts$/],
];

const isPackage = (id: string) => id.includes('/node_modules/');

/** The chunk of a module; '' leaves it to the bundler, as other packages, because barrels hide their importers. */
function chunkOf(id: string, context: Context): string {
  const [file] = files.find(([, pattern]) => pattern.test(id)) ?? [];
  if (file ?? isPackage(id)) return file ?? '';
  const users = usersOf(id, context);
  const [name = ''] = table.find(([, test]) => test(users, id)) ?? [];
  return name;
}

const names = [...new Set([...table, ...files].map(([name]) => name).filter(Boolean))];

/** Rolldown tags the packages of the first load; everything else follows the table. */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'vendor', test: isPackage, tags: ['$initial'], priority: names.length + 1 },
  ...names.map((name, place) => ({
    debugName: name,
    name: (id: string, context: Rolldown.ChunkingContext) => (chunkOf(id, context) === name ? name : null),
    priority: names.length - place,
  })),
];

/** Our own chunks of a first visit; minifying the others would take longer than it saves. */
const first = new Set(['index', 'start', 'main', 'plans', 'form', 'plan']);

/** Inlines values that are used once; Rolldown shortens the names. */
async function inlineValues(code: string) {
  const { code: smaller = code } = await minify(code, {
    module: true,
    ecma: 2020,
    mangle: false,
    compress: { passes: 2 },
  });
  return { code: smaller, map: null };
}

/**
 * Runs Terser before Rolldown's own minifier, which saves 1 KB on a first visit. Packages are minified before Rolldown
 * wraps them: Terser removes the parentheses of a wrapper, by which engines compile React while it is loading, and a
 * phone would compile it again in a task of 200 ms.
 */
export function terserMinifier(): Plugin {
  return {
    name: 'marquee:terser-minifier',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: { filter: { id: /\/node_modules\/.*\.m?js$/ }, handler: inlineValues },
    renderChunk: (code, { name }) => (first.has(name) ? inlineValues(code) : null),
  };
}
