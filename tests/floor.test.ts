import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { unsupportedNames, type YoungNames } from '#tests/fixtures/compatibility.ts';
import { projectFiles, root } from '#tests/fixtures/source-tree.ts';
import { unsupportedInStyles } from '#tests/fixtures/unsupported-styles.ts';

/** What `src/web/platform/entry/engine/built-ins.ts` adds to engines that lack it. */
const polyfilled = new Set([
  'AbortSignal.any',
  'Object.hasOwn',
  'URL.canParse',
  '.at()',
  '.findLast()',
  '.requestSubmit()',
  '.showModal()',
  '.throwIfAborted()',
  '.toSorted()',
]);

const ownMethod = 'a method of the project or of a library, on an object of theirs';
const tested = 'tested before it is used';

/** What is in the build nevertheless, and why it does no harm. */
const harmless: Readonly<Record<string, string>> = {
  '.build()': ownMethod,
  '.canGoBack()': ownMethod,
  '.canMakePayment()': tested,
  '.canShare()': tested,
  '.clearAppBadge()': tested,
  '.createContext()': ownMethod,
  '.createPolicy()': tested,
  '.createScript()': tested,
  '.createScriptURL()': tested,
  '.delay()': ownMethod,
  '.destroy()': ownMethod,
  '.fallback()': ownMethod,
  '.fetch()': ownMethod,
  '.forget()': ownMethod,
  '.getHighEntropyValues()': tested,
  '.getLargestInteractionContentfulPaint()': tested,
  '.getTransports()': tested,
  '.getNotifications()': 'in the worker, where a message by push has come',
  '.getState()': ownMethod,
  '.getSubscription()': tested,
  '.handle()': ownMethod,
  '.hidePopover()': tested,
  '.isActive()': ownMethod,
  '.pipeThrough()': 'ky, for the progress of an upload or download, which is not used',
  '.query()': ownMethod,
  '.randomUUID()': tested,
  '.replaceSync()': tested,
  '.setAppBadge()': tested,
  '.toBase64()': tested,
  '.setConsumer()': tested,
  '.share()': tested,
  '.show()': 'fingerprintjs, on a dialog that it makes where there are some',
  '.showNotification()': 'in the worker, where a message by push has come',
  '.showPicker()': tested,
  '.showPopover()': tested,
  '.skipTransition()': 'react-dom, on a transition that it was given',
  '.startViewTransition()': tested,
  '.subscribe()': ownMethod,
  '.unsubscribe()': tested,
  '.use()': ownMethod,
  'Error.captureStackTrace': 'fflate, which tests for it first',
  PaymentRequest: tested,
  'PublicKeyCredential.isConditionalMediationAvailable': tested,
  TransformStream: 'ky, for the progress of an upload or download, which is not used',
  structuredClone: tested,
  'Uint8Array.fromBase64': tested,
  'Uint8Array.fromHex': tested,
};

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function walk(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) walk(one, see);
  }
}

/** The name of a property that is read; undefined where it is computed. */
function propertyOf({ property, computed }: Node): string | undefined {
  if (!isNode(property)) return undefined;
  if (computed !== true) return typeof property['name'] === 'string' ? property['name'] : undefined;
  return typeof property['value'] === 'string' ? property['value'] : undefined;
}

const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? String(node['name']) : undefined);

/** Everything in a script that some engine of the floor lacks. */
export function youngIn(code: string, { statics, members, globals }: YoungNames): Set<string> {
  const found = new Set<string>();
  // as: an ESTree syntax tree
  const parsed = parseAst(code, { lang: 'js' }) as unknown as Node;
  walk(parsed, (node) => {
    if (node.type === 'MemberExpression') {
      const whole = `${nameOf(node['object'])}.${propertyOf(node)}`;
      if (statics.has(whole)) found.add(whole);
    }
    if (node.type === 'CallExpression' && isNode(node['callee']) && node['callee'].type === 'MemberExpression') {
      const name = propertyOf(node['callee']);
      const owner = nameOf(node['callee']['object']);
      if (name !== undefined && members.has(name) && !statics.has(`${owner}.${name}`)) found.add(`.${name}()`);
    }
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const name = nameOf(node['callee']);
      if (name !== undefined && globals.has(name)) found.add(name);
    }
    if (node.type === 'StaticBlock') found.add('static {}');
    if (node.type === 'BinaryExpression' && isNode(node['left']) && node['left'].type === 'PrivateIdentifier') {
      found.add('#name in');
    }
  });
  if (awaitsOutside(parsed)) found.add('top-level await');
  return found;
}

/** Whether a script awaits outside of any function. */
function awaitsOutside(node: Node): boolean {
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node['await'] === true)) return true;
  if (/Function/.test(node.type)) return false;
  return Object.values(node)
    .flat()
    .some((one) => isNode(one) && awaitsOutside(one));
}

const young = unsupportedNames();
const lackedIn = (file: string) => youngIn(readFileSync(join(root, file), 'utf8'), young);

describe('The scripts of the build', () => {
  const scripts = projectFiles('dist/site').filter((file) => file.endsWith('.js'));
  const used = new Map<string, string[]>();
  for (const file of scripts) for (const name of lackedIn(file)) used.set(name, [...(used.get(name) ?? []), file]);

  it('call nothing that an engine of the floor lacks, unless it is polyfilled or tested first', () => {
    expect(scripts.length).toBeGreaterThan(50);
    const faults = [...used].filter(([name]) => !polyfilled.has(name) && !Object.hasOwn(harmless, name));
    expect(faults).toEqual([]);
  });

  it('use every polyfill, so that none is loaded without need', () => {
    expect([...polyfilled].filter((name) => !used.has(name))).toEqual([]);
  });

  it.each([
    ['[3, 1].toSorted()', '.toSorted()'],
    ['Object.groupBy([], String)', 'Object.groupBy'],
    ['new URLPattern({})', 'URLPattern'],
    ['structuredClone({})', 'structuredClone'],
    ['class A { static { A.b = 1 } }', 'static {}'],
    ['class A { #b; has(c) { return #b in c } }', '#name in'],
    ['await import("./a.js")', 'top-level await'],
  ])('fail this check with %s', (code, name) => {
    expect([...youngIn(code, young)]).toContain(name);
  });
});

describe('The styles of the build', () => {
  const grace = 'without it the page is plainer, but as usable';
  const ofEngine = 'each engine has its own name, in a rule of its own';
  const inGrid = 'engines lack it in flex boxes, and this is in grids';
  const ratio = 'the picture has a shape of its own';
  const large = 'with larger text, a label wraps';
  const without = 'there is a rule for engines without it';
  /** What is in them nevertheless, and why it does no harm. */
  const known: Readonly<Record<string, string>> = {
    '-webkit-tap-highlight-color': grace,
    '::-moz-progress-bar': ofEngine,
    '::-webkit-progress-bar': ofEngine,
    '::-webkit-progress-value': ofEngine,
    '::view-transition-group': grace,
    '::view-transition-new': grace,
    '::view-transition-old': grace,
    ':focus-visible': 'preserve-focus.ts draws the ring of a remote control; a browser draws its own for a keyboard',
    ':has': without,
    '@container': large,
    '@media (forced-colors)': 'an engine without it has no forced colours',
    '@page': 'about a receipt on paper',
    'align-content: start': inGrid,
    'align-self: end': inGrid,
    'align-self: start': inGrid,
    'aspect-ratio': ratio,
    'color-scheme': grace,
    'container-type': large,
    'font-family: system-ui': 'one of several',
    'grid-template-rows: subgrid': 'rows of their own are as readable',
    'hyphenate-limit-chars': grace,
    hyphens: grace,
    'overscroll-behavior': grace,
    'place-content: start': inGrid,
    'place-items: start': inGrid,
    'text-decoration-thickness': grace,
    'text-size-adjust': 'under the name that each engine has for it',
    'text-underline-offset': grace,
    'text-wrap': grace,
    'user-select': grace,
    zoom: 'set for engines that know it, and the sizes are divided by it only there',
  };
  const sheets = projectFiles('dist/site').filter((file) => file.endsWith('.css'));
  const used = new Set(sheets.flatMap((file) => [...unsupportedInStyles(readFileSync(join(root, file), 'utf8'))]));

  it('contain nothing that an engine of the floor lacks, unless it does no harm or is tested first', () => {
    expect(sheets.length).toBeGreaterThan(20);
    expect([...used].filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  });

  it('have no exception that is no longer needed', () => {
    expect(Object.keys(known).filter((name) => !used.has(name))).toEqual([]);
  });

  it.each([
    ['a:not(:is(b, c)) { color: red }', ':is'],
    ['a { translate: 1px }', 'translate'],
    ['a { color: color-mix(in srgb, red, blue) }', 'color-mix()'],
    ['a { height: 100dvh }', '1dvh'],
    ['@container (min-width: 1px) { a { color: red } }', '@container'],
    ['@media (width >= 1px) { a { color: red } }', 'a range of media'],
    ['a { display: flow-root list-item; overflow: clip }', 'overflow: clip'],
  ])('fail this check with %s', (code, name) => {
    expect([...unsupportedInStyles(code)]).toContain(name);
  });

  it('may contain what is tested first, and what has a fallback before it', () => {
    expect([...unsupportedInStyles('@supports (height: 1dvh) { a { height: 1dvh } }')]).toEqual([]);
    expect([...unsupportedInStyles('a { height: 100vh; height: 100dvh }')]).toEqual([]);
  });
});
