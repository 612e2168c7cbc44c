import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import * as endpoints from '#contract/index.ts';
import { contractVersion } from '#contract/version.ts';
import { errorCode, type ErrorName } from '#contract/error-codes.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { createApp, otherRoutes } from '#server/http/mount-app.ts';

const operationSchema = v.object({
  operationId: v.string(),
  summary: v.pipe(v.string(), v.minLength(5)),
  security: v.array(v.record(v.string(), v.array(v.string()))),
  parameters: v.array(v.unknown()),
  responses: v.record(v.string(), v.object({ description: v.string() })),
});
const descriptionSchema = v.object({
  openapi: v.literal('3.1.1'),
  info: v.object({ version: v.string() }),
  paths: v.record(v.string(), v.record(v.string(), operationSchema)),
});

let shop: Shop;
let description: v.InferOutput<typeof descriptionSchema>;
beforeAll(async () => {
  shop = await aShop();
  const answer = await shop.app.request('http://localhost/api/openapi.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  description = v.parse(descriptionSchema, await answer.json());
});
afterAll(() => shop?.close());

it('the description names every call by its method and path, and who may call it', () => {
  const described = Object.entries(description.paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { operationId, security }]) => {
      const keys = security.map((one) => Object.keys(one).join() || 'nothing').join(' or ');
      return `${operationId}: ${method.toUpperCase()} ${path} with ${keys}`;
    }),
  );
  const keys = { public: 'nothing', optional: 'nothing or session', customer: 'session' };
  const called = Object.values(endpoints).map(
    ({ name, method, path, access }) => `${name}: ${method} ${path} with ${keys[access]}`,
  );
  expect(new Set(described)).toEqual(new Set(called));
});

it('the description names every error of a call by its number, and its version', () => {
  expect(description.info.version).toBe(contractVersion);
  for (const { name, method, path, errors } of Object.values(endpoints)) {
    const { responses } = description.paths[path]?.[method.toLowerCase()] ?? {};
    const texts = Object.values(responses ?? {})
      .map(({ description: text }) => text)
      .join('\n');
    const missing = errors.filter((error: ErrorName) => !texts.includes(`\`${errorCode(error)}\` ${error}`));
    expect(missing, name).toEqual([]);
  }
});

describe('the description as a page', () => {
  it.each([
    ['/api/docs', 'text/html', '/api/docs/start.js'],
    ['/api/docs/start.js', 'text/javascript', '/api/openapi.json'],
    ['/api/docs/swagger-ui-bundle.js', 'text/javascript', 'SwaggerUIBundle'],
    ['/api/docs/swagger-ui.css', 'text/css', '.swagger-ui'],
  ])('is served by the demo: %s', async (path, type, part) => {
    const answer = await shop.app.request(`http://localhost${path}`);
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(await answer.text()).toContain(part);
  });

  it('is not served without the sandbox, unlike the description itself', async () => {
    const production = createApp(shop.deps, otherRoutes(null));
    const statusOf = async (path: string) => (await production.request(`http://localhost${path}`)).status;
    expect([await statusOf('/api/docs'), await statusOf('/api/docs/start.js')]).toEqual([404, 404]);
    expect(await statusOf('/api/openapi.json')).toBe(200);
  });
});
