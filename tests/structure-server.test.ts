import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { confirmingProviderSchema } from '#contract/next-step.ts';
import { knownProviders } from '#server/payments/known-providers.ts';
import {
  cycles,
  files,
  into,
  mentions,
  forbiddenImports,
  paymentProviders,
  under,
} from '#tests/fixtures/architecture.ts';
import { addressKeys } from '#tests/fixtures/raw-addresses.ts';
import { lineAt, readSource, type Import, type Source } from '#tests/fixtures/source-tree.ts';

/** Code that reads the body of a request, or lets the framework read it. */
const bodyReads =
  /\b(?:req|request|raw)(?:\.clone\(\))?\.(?:json|text|arrayBuffer|blob|bytes|formData|parseBody|body)\b(?!:)|[{,]\s*body\b[^{}]*\}\s*=\s*(?:[\w.]+\.)?(?:req|request|raw)(?:\.clone\(\))?(?![\w.(])|\bbodyLimit\b|\bparseBody\(|\breq\.valid\(/;

describe('Server', () => {
  const server = under('src/server/');

  it('has five files at its root, which start it', () => {
    expect(server.filter(({ path }) => /^src\/server\/[^/]+\.ts$/.test(path)).map(({ path }) => path)).toHaveLength(5);
  });

  /** The folder of a file; the parts of `runtime` count separately, because one of them wires all others. */
  const folder = (path: string) => /^src\/server\/(runtime\/[^/]+(?=\/)|[^/]+(?=\/))/.exec(path)?.[1];

  it('has no two folders that import each other, directly or indirectly', () => {
    // `deps` and `env` at the root are types for all. The other files at the root start the server.
    expect(cycles(server, folder)).toEqual([]);
  });

  it('is built in layers, each of which imports only from itself and from lower ones', () => {
    const layers = [
      ['runtime', 'runtime/limits', 'runtime/request', 'db', 'brand'],
      ['payments', 'messages'],
      ['site', 'auth', 'account', 'billing', 'renewal'],
      ['runtime/wiring', 'jobs', 'operator', 'http'],
    ];
    const height = (path: string) => layers.findIndex((names) => names.includes(folder(path) ?? ''));
    const inFolders = server.filter(({ path }) => path.split('/').length > 3);
    expect(inFolders.filter(({ path }) => height(path) < 0).map(({ path }) => path)).toEqual([]);
    const below = (one: Import, { path }: Source) => !into(one, 'src/server/') || height(one.target) <= height(path);
    expect(forbiddenImports(inFolders, below)).toEqual([]);
  });

  it('refuses without the error list of an endpoint only in the transport, where no endpoint is known', () => {
    const untyped = server.filter(({ code }) => /\bthrowRefusal\b|\bnew ApiRefusal\(/.test(code));
    expect(untyped.map(({ path }) => path).filter((path) => !path.endsWith('.test.ts'))).toEqual([
      'src/server/auth/sign-on/mount-device-grant.ts',
      'src/server/billing/webhooks.ts',
      'src/server/http/mount.ts',
      'src/server/http/restricted-access.ts',
      'src/server/runtime/request/api-error.ts',
      'src/server/runtime/request/body-gate.ts',
      'src/server/runtime/request/read-bytes.ts',
      'src/server/runtime/request/request-context.ts',
    ]);
  });

  it('does not read the physical position of a row, which only PostgreSQL itself has', () => {
    expect(mentions(server, /\bctid\b/)).toEqual([]);
  });

  it('takes time and randomness from outside', () => {
    const clocks = server.filter(({ path }) => !/\/(main|clock|random|signing-secret)\.ts$/.test(path));
    expect(mentions(clocks, /\bDate\.now\(\)|new Date\(\)|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/)).toEqual(
      [],
    );
  });

  it('reads the environment only where a program starts', () => {
    const readers = server.filter(({ path }) => !/^src\/server\/((operator\/)?main|env)\.ts$/.test(path));
    expect(mentions(readers, /\bprocess\.env\b/)).toEqual([]);
  });

  it('reads the body of a request in one place, where its size, time and memory are limited', () => {
    const readers = server.filter(({ path }) => !path.startsWith('src/server/runtime/request/'));
    expect(mentions(readers, bodyReads)).toEqual([]);
    const unlimited = under('src/server/runtime/request/').filter(({ path }) => !path.endsWith('/read-bytes.ts'));
    expect(mentions(unlimited, bodyReads)).toEqual([]);
  });

  it.each([
    'await c.req.parseBody()',
    'bodyLimit({ maxSize: 1024 })',
    'await c.req.text()',
    'await c.req.raw.arrayBuffer()',
    'const stream = c.req.raw.body;',
    'await request.formData()',
    'for await (const chunk of request.body) take(chunk);',
    'const { body } = c.req.raw;',
    'const { method, body: stream } = request;',
    'await c.req.raw.clone().text()',
    'const { body: copy } = c.req.raw.clone();',
  ])('detects a body that is read elsewhere: %s', (line) => {
    expect(bodyReads.test(line)).toBe(true);
  });

  it('counts and stores a caller by its network, never by its address ([Note: Networks])', () => {
    // These files derive networks from addresses.
    const users = server.filter(
      ({ path }) => !/^src\/server\/runtime\/request\/(network|caller|local-caller)\.ts$/.test(path),
    );
    const found = users.flatMap(({ path, code }) =>
      addressKeys(path, code).map((start) => `${path}:${lineAt(code, start)} ${code.slice(start, start + 60)}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'countTry(db, `login ${ip}`, limit, now)',
    'countTry(db, context.ip, limit, now)',
    "const key = 'login ' + caller.ip;",
    'counts.get(ip)',
    'counts.set(socket.remoteAddress ?? "", 1)',
    'oneAtATime(clientIp, act)',
    'const known = seen[request.ip];',
    "const key = ['login', ip].join(' ');",
    'hash(JSON.stringify([brand, ip]))',
    'const limit = { key: ip, most: 3 };',
    'const from = callerOf(c, env).ip;',
    'const { ip: from } = context;',
  ])('detects an address that is used as a key: %s', (line) => {
    expect(addressKeys('planted.ts', line)).toHaveLength(1);
    expect(addressKeys('planted.ts', 'countTry(db, `login ${networksOf(ip).near}`, limit, now)')).toEqual([]);
  });

  it('writes the status of an order only through the table of transitions', () => {
    const orders = server.filter(({ path }) => !path.includes('/db/'));
    expect(mentions(orders, /\.set\(\{[^}]*\bstatus: '(?:PAYMENT|REFUND|CHARGEBACK|SUBMITTED)\w*'/)).toEqual([]);
  });
});

describe('Payment providers', () => {
  const code = (path: string) => readSource(path).code;
  const providersWithout = (has: (name: string) => boolean) => paymentProviders.filter((name) => !has(name));

  it('are opened by open-gateways.ts and have an API test each', () => {
    const opened = code('src/server/runtime/wiring/open-gateways.ts');
    expect(providersWithout((name) => opened.includes(`payments/${name}/gateway.ts`))).toEqual([]);
    expect(providersWithout((name) => files.includes(`tests/api/payments-${name}.test.ts`))).toEqual([]);
  });

  it('are known to brand check, whether or not they are configured', () => {
    expect(Object.keys(knownProviders).sort()).toEqual([...paymentProviders]);
  });

  it('are all in the test of currencies, which compares what is charged with what was agreed', () => {
    const tested = code('src/server/payments/currencies.test.ts');
    const isTested = (name: string) => new RegExp(`^  ${name}: \\{|from '\\./${name}/`, 'm').test(tested);
    expect(providersWithout(isTested)).toEqual([]);
  });

  it('have settings that are set together', () => {
    const env = code('src/server/env.ts');
    const settings = files.filter((path) => /^src\/server\/payments\/\w+\/settings\.ts$/.test(path));
    const isGrouped = (path: string) => {
      const names = [...code(path).matchAll(/export const (\w+Names) = /g)].map(([, name = '']) => name);
      return names.length > 0 && names.every((name) => env.includes(`together(${name})`));
    };
    expect(settings.length).toBeGreaterThan(4);
    expect(settings.filter((path) => !isGrouped(path))).toEqual([]);
  });

  it('are reported by the doctor while their test environment is selected', () => {
    const selected = under('src/server/payments/').flatMap(
      (source) => source.bare.match(/\b[A-Z]+_ENVIRONMENT(?=:)/g) ?? [],
    );
    const reported = code('src/server/operator/doctor/check-settings.ts');
    expect(selected.length).toBeGreaterThan(2);
    expect(selected.filter((name) => !reported.includes(`'${name}'`))).toEqual([]);
  });

  it('that need the return of the customer are known to every part that handles it', () => {
    const names = confirmingProviderSchema.options;
    const route = code('src/web/routes/_plain/paymentResult/index.tsx');
    expect(names.filter((name) => !route.includes(`'${name}'`))).toEqual([]);
    const reopening = names.map((name) => `${name}Create`).filter((name) => Object.hasOwn(endpoints, name));
    const page = code('src/web/domain/payments/continue-at-provider.tsx');
    expect(reopening.filter((name) => !page.includes(`: ${name}`))).toEqual([]);
    const handedOver = code('src/server/http/restricted-access.ts');
    expect(reopening.filter((name) => !handedOver.includes(`'${name}'`))).toEqual([]);
  });
});
