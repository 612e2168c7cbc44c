import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { versionFaults } from '#scripts/openapi/check-version.ts';
import { compareApis } from '#scripts/openapi/compare.ts';
import { root } from './fixtures/source-tree.ts';

const content = (schema: object) => ({ 'application/json': { schema } });

const body = {
  type: 'object',
  additionalProperties: false,
  required: ['planId'],
  properties: {
    planId: { type: 'string', maxLength: 20, pattern: String.raw`^\d+$` },
    note: { type: 'string' },
    language: { enum: ['en', 'pt'] },
    labels: { type: 'object', propertyNames: { maxLength: 9 }, additionalProperties: { type: 'string' } },
  },
};
const result = {
  type: 'object',
  required: ['orderId', 'total'],
  properties: {
    orderId: { type: 'string', maxLength: 40 },
    status: { enum: ['paid', 'open'], default: 'open' },
    total: { $ref: '#/components/schemas/Money' },
    until: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    next: {
      type: 'array',
      items: {
        oneOf: [
          { type: 'object', required: ['type'], properties: { type: { const: 'none' } } },
          { type: 'object', required: ['type'], properties: { type: { const: 'qr' }, code: { type: 'string' } } },
        ],
      },
    },
  },
};
const pay = {
  operationId: 'pay',
  summary: 'Pays an order',
  tags: ['buy'],
  security: [{ session: [] }],
  parameters: [
    { name: 'shop', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'Key', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'Scene', in: 'header', schema: { type: 'string' } },
  ],
  requestBody: { required: true, content: content(body) },
  responses: {
    200: { description: 'Paid.', headers: { Date: {} }, content: content(result) },
    400: { description: 'Refused.', content: content({ type: 'object', required: ['code'] }) },
  },
};
const released = {
  info: { version: '1.4.0' },
  servers: [{ url: '/' }],
  paths: { '/api/pay': { post: pay }, '/api/plans': { get: { operationId: 'plans', tags: ['browse'] } } },
  components: {
    schemas: { Money: { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } } },
    securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'Authorization' } },
  },
};

const call = 'paths./api/pay.post';
const sent = `${call}.requestBody.content.application/json.schema`;
const received = `${call}.responses.200.content.application/json.schema`;
const money = 'components.schemas.Money';

/** The description with another value at one place; without it for undefined. */
function changed(place: string, value: unknown): typeof released {
  const copy = structuredClone(released);
  const keys = place.split('.');
  const last = keys.pop() ?? '';
  // as: every place of the table exists
  const parent = keys.reduce((at, key) => at[key] as Record<string, unknown>, copy as Record<string, unknown>);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}

const text = { type: 'string' };

/** What is changed, where, and to which value. */
const compatible: [what: string, place: string, value: unknown][] = [
  ['a field of a result that is not required', `${received}.properties.receipt`, text],
  ['a field of a schema that has a name', `${money}.properties.unit`, text],
  ['a field inside of one alternative', `${received}.properties.next.items.oneOf.1.properties.image`, text],
  ['a call of a new capability', 'paths./api/tv', { get: { operationId: 'tv', tags: ['tv'] } }],
  ['a header that is not required', `${call}.parameters.3`, { name: 'Tab', in: 'header', schema: text }],
  ['no header where it is not required', `${call}.parameters.2`, { ...pay.parameters[1] }],
  ['another refusal', `${call}.responses.429`, { description: 'Too many.' }],
  ['one refusal less', `${call}.responses.400`, undefined],
];
const incompatible: typeof compatible = [
  ['no call', 'paths./api/pay', undefined],
  ['a call of a capability that backends have', 'paths./api/cards', { get: { operationId: 'cards', tags: ['buy'] } }],
  ['a call of no capability', 'paths./api/other', { get: { operationId: 'other' } }],
  ['another name of a call', `${call}.operationId`, 'purchase'],
  ['a call of another capability', `${call}.tags`, ['browse']],
  ['a call for visitors too', `${call}.security`, [{}, { session: [] }]],
  ['a call for customers only', 'paths./api/plans.get.security', [{ session: [] }]],
  ['another header of the session', 'components.securitySchemes.session.name', 'X-Session'],
  ['another address', 'servers', [{ url: '/v2' }]],
  ['a required header', `${call}.parameters.2.required`, true],
  ['a header that is no longer required', `${call}.parameters.1.required`, undefined],
  ['a parameter of a query', `${call}.parameters.3`, { name: 'page', in: 'query', schema: text }],
  ['another type of a parameter', `${call}.parameters.0.schema.type`, 'number'],
  ['a required field of a request', `${sent}.required`, ['planId', 'note']],
  ['a field of a request that is no longer required', `${sent}.required`, []],
  ['a field that released backends refuse', `${sent}.properties.gift`, text],
  ['no field of a request', `${sent}.properties.note`, undefined],
  ['a shorter text', `${sent}.properties.planId.maxLength`, 10],
  ['another pattern', `${sent}.properties.planId.pattern`, '^[1-9]+$'],
  ['one value less in a request', `${sent}.properties.language.enum`, ['en']],
  ['a value that released backends do not know', `${sent}.properties.language.enum`, ['en', 'pt', 'es']],
  ['shorter names of fields', `${sent}.properties.labels.propertyNames.maxLength`, 5],
  ['another type of the values of an object', `${sent}.properties.labels.additionalProperties.type`, 'number'],
  ['a body that may be missing', `${call}.requestBody.required`, undefined],
  ['another media type', `${call}.requestBody.content`, { 'text/plain': { schema: text } }],
  ['a required field of a result', `${received}.required`, ['orderId', 'total', 'status']],
  ['a field of a result that is no longer required', `${received}.required`, ['orderId']],
  ['no field of a result', `${received}.properties.until`, undefined],
  ['a value that released apps do not know', `${received}.properties.status.enum`, ['paid', 'open', 'late']],
  ['a value of released backends less', `${received}.properties.status.enum`, ['paid']],
  ['another default', `${received}.properties.status.default`, 'paid'],
  ['a longer text of a result', `${received}.properties.orderId.maxLength`, 60],
  ['no null', `${received}.properties.until`, { anyOf: [{ type: 'number' }] }],
  ['a new alternative', `${received}.properties.next.items.oneOf.2`, { type: 'object' }],
  ['a required field of a schema that has a name', `${money}.required`, ['amount', 'currency']],
  ['another type in a schema that has a name', `${money}.properties.amount.type`, 'number'],
  ['another shape of a refusal', `${call}.responses.400.content.application/json.schema.required`, ['reason']],
  ['no answer of success', `${call}.responses.200`, undefined],
  ['no header of an answer', `${call}.responses.200.headers.Date`, undefined],
];
const equal: typeof compatible = [
  ['another text', `${call}.summary`, 'Pays'],
  ['the values in another order', `${received}.properties.status.enum`, ['open', 'paid']],
  ['a constant as a list of one', `${received}.properties.next.items.oneOf.0.properties.type`, { enum: ['none'] }],
  ['a schema in the place of its name', `${received}.properties.total`, released.components.schemas.Money],
];

describe('A change of the contract', () => {
  const verdicts = (place: string, value: unknown) =>
    compareApis(released, changed(place, value)).map(({ isCompatible }) => isCompatible);

  it.each(compatible)('is compatible: %s', (_, place, value) => {
    const found = verdicts(place, value);
    expect(found.length).toBeGreaterThan(0);
    expect(found).not.toContain(false);
  });

  it.each(incompatible)('is incompatible: %s', (_, place, value) => {
    expect(verdicts(place, value)).toContain(false);
  });

  it.each(equal)('is none: %s', (_, place, value) => {
    expect(compareApis(released, changed(place, value))).toEqual([]);
  });
});

describe('The version of the contract', () => {
  const withVersion = (version: string, place: string, value: unknown) => ({
    ...changed(place, value),
    info: { version },
  });
  const log = (name = '') => `# Changelog\n\n## [Unreleased]\n\n### Contract\n\n- \`${name}\`\n\n## [1.0.0]\n`;

  it('is a higher minor one after a compatible change, which the changelog names', () => {
    const place = `${money}.properties.unit`;
    expect(versionFaults(released, withVersion('1.5.0', place, text), log('Money.unit'))).toEqual([]);
    const faults = versionFaults(released, withVersion('1.4.1', place, text), log());
    expect(faults).toEqual([
      expect.stringContaining('a higher minor version'),
      expect.stringContaining('`Money.unit` under "### Contract"'),
    ]);
  });

  it('is a higher major one after an incompatible change', () => {
    const place = `${sent}.properties.planId.maxLength`;
    expect(versionFaults(released, withVersion('2.0.0', place, 10), log('pay.body.planId'))).toEqual([]);
    expect(versionFaults(released, withVersion('1.5.0', place, 10), log('pay.body.planId'))).toEqual([
      expect.stringContaining('maxLength was 20, and is 10. It needs a higher major version'),
    ]);
  });

  it('fits the changes since the last release, which `npm run openapi -- --release` stores', () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    // as: both are written by `npm run openapi`
    const [before, now] = ['released', 'openapi'].map(
      (name) => JSON.parse(read(`src/contract/${name}.json`)) as typeof released,
    );
    expect(versionFaults(before!, now!, read('.github/CHANGELOG.md'))).toEqual([]);
  });
});
