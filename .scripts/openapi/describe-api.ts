import type * as v from 'valibot';
import type { Endpoint } from '#contract/endpoint.ts';
import type { ErrorName } from '#contract/error-codes.ts';
import { commentOf } from './doc-comments.ts';
import { exampleOf } from './examples.ts';
import {
  capabilityCalls,
  contractVersion,
  definitionOf,
  definitions,
  dpopHeaderSchema,
  endpoints,
  errors,
  idempotencyKeySchema,
  objectOf,
  refusalParamsSchema,
  requestHeadersSchema,
  schemaOf,
} from './describe-schemas.ts';

type Schema = v.GenericSchema<unknown, unknown>;
type Json = Readonly<Record<string, unknown>>;

const sessionScheme = 'session';

const fromEntries = (entries: readonly (readonly [string, unknown])[]): Json => Object.fromEntries(entries);

/** The first sentence of a comment. */
const sentenceOf = (text: string) => /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').replace(/\.$/, '');

/** The parameters of a path, a query or the headers. */
function parametersOf(place: 'path' | 'query' | 'header', schema: Schema | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = definitionOf(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = objectOf(property);
    const isRequired = place === 'path' || required.includes(name);
    return {
      name,
      in: place,
      ...(isRequired && { required: true }),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

const commonErrors: readonly ErrorName[] = [
  'invalidRequest',
  'invalidToken',
  'staleProof',
  'serviceBusy',
  'systemError',
];

/** The answers to a call: its result, and its errors by their HTTP status. */
function responsesOf(endpoint: Endpoint): Json {
  const { result, payload, errors: own } = endpoint;
  const names = [...new Set([...own, ...commonErrors])];
  const byStatus = Map.groupBy(names, (name) => errors[name].status);
  const refusals = [...byStatus].map(([status, group]) => {
    const list = group.map((name) => `- \`${errors[name].code}\` ${name}`).join('\n');
    const description = `The call is refused with one of these codes:\n\n${list}`;
    return [String(status), { ...refusal, description }] as const;
  });
  const success = {
    type: 'object',
    required: ['code', payload],
    properties: { code: { const: 0 }, [payload]: schemaOf(result), traceId: { type: 'string' } },
  };
  return {
    200: {
      description: 'The call has succeeded.',
      headers: answerHeaders,
      content: { 'application/json': { schema: success, ...exampleOf(endpoint, 'result') } },
    },
    ...fromEntries(refusals),
  };
}

const number = { type: 'integer', description: 'the number of the error' };
const refusalSchema = {
  type: 'object',
  description: 'A call that has failed: the storefront says why by the number, and never shows texts of the backend.',
  required: ['code', 'errCode'],
  properties: { code: number, errCode: number, params: schemaOf(refusalParamsSchema), traceId: { type: 'string' } },
};

const answerHeaders = { Date: { $ref: '#/components/headers/Date' } };
const refusal = {
  headers: answerHeaders,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
};

function bodyOf(endpoint: Endpoint): Json {
  const { body, file } = endpoint;
  if (file) {
    const schema = { type: 'string', format: 'binary', maxLength: file.maxBytes };
    const content = file.types.map((type) => [type, { schema }] as const);
    return { requestBody: { required: true, content: fromEntries(content) } };
  }
  if (!body) return {};
  const media = { schema: schemaOf(body), ...exampleOf(endpoint, 'body') };
  return { requestBody: { required: true, content: { 'application/json': media } } };
}

const dpop = { $ref: '#/components/parameters/Dpop' };
const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };
const headerNames = ['language', 'client-type', 'scene', 'fingerprint'];
const securityOf = {
  public: [{}],
  optional: [{}, { [sessionScheme]: [] }],
  customer: [{ [sessionScheme]: [] }],
} as const;

/** The capability of a call, and whether a backend with that capability must have the call. */
function placeOf(name: string): { readonly tag: string; readonly isRequired: boolean } {
  for (const [tag, { required, optional }] of Object.entries(capabilityCalls)) {
    if ([...required, ...optional].some((one) => one === name)) {
      return { tag, isRequired: required.some((one) => one === name) };
    }
  }
  throw new Error(`capability-calls.ts does not name the call ${name}`);
}

const tags = Object.entries(capabilityCalls).map(([name, { summary, needs }]) => ({
  name,
  description: needs.length === 0 ? summary : `${summary} Needs ${needs.join(', ')}.`,
}));

/** One call. */
function operationOf(endpoint: Endpoint): Json {
  const { name, access, params, query, idempotent, opensSession, ownerOnly, reads } = endpoint;
  const comment = commentOf(endpoint) ?? '';
  const summary = sentenceOf(comment);
  const { tag, isRequired } = placeOf(name);
  const notes = [
    comment.slice(summary.length).trim(),
    isRequired ? `Required for \`${tag}\`.` : `Optional for \`${tag}\`.`,
    ...(reads ? ['It changes nothing and can be repeated.'] : []),
    ...(ownerOnly ? ['Sessions of TV devices are refused with `unauthorized`.'] : []),
    ...(idempotent === 'sometimes' ? ['The key is required for some input only.'] : []),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary: oneLine(summary),
    description: notes.filter(Boolean).join('\n\n'),
    security: securityOf[access],
    parameters: [
      ...parametersOf('path', params),
      ...parametersOf('query', query),
      ...headerNames.map((header) => ({ $ref: `#/components/parameters/${header}` })),
      ...(opensSession || access !== 'public' ? [dpop] : []),
      ...(idempotent ? [idempotencyKey] : []),
    ],
    ...bodyOf(endpoint),
    responses: responsesOf(endpoint),
  };
}

/** Every schema that a call or another schema refers to. */
function usedSchemas(...users: readonly unknown[]): Json {
  const all = new Map(Object.entries(definitions).map(([name, schema]) => [name, definitionOf(schema)]));
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name) || !all.has(name)) continue;
      used.add(name);
      follow(all.get(name));
    }
  };
  follow(users);
  return fromEntries([...all].filter(([name]) => used.has(name)));
}

/** The headers of every call, except for the token, and the key of a purchase. */
function commonParameters(): Json {
  const headers = parametersOf('header', requestHeadersSchema).filter(({ name }) => headerNames.includes(String(name)));
  const { description, ...schema } = definitionOf(idempotencyKeySchema);
  const { description: aboutProof, ...proof } = definitionOf(dpopHeaderSchema);
  return {
    ...fromEntries(headers.map((header) => [String(header['name']), header])),
    Dpop: { name: 'DPoP', in: 'header', description: aboutProof, schema: proof },
    IdempotencyKey: { name: 'Idempotency-Key', in: 'header', required: true, description, schema },
  };
}

/** The OpenAPI description of the contract. */
export function describeApi(): Json {
  const paths = fromEntries(
    [...Map.groupBy(endpoints, ({ path }) => path)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, calls]) => [path, fromEntries(calls.map((call) => [call.method.toLowerCase(), operationOf(call)]))]),
  );
  const parameters = commonParameters();
  return {
    openapi: '3.1.1',
    info: { title: 'Marquee storefront API', version: contractVersion, description: about },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      securitySchemes: {
        [sessionScheme]: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The bare token, without a scheme; `null` or nothing for a visitor.',
        },
      },
      parameters,
      headers: {
        Date: {
          description: 'The clock of the server, by which the storefront counts down.',
          schema: { type: 'string' },
        },
      },
      schemas: { Refusal: refusalSchema, ...usedSchemas(paths, parameters, refusalSchema) },
    },
  };
}

const about = [
  'Everything that the storefront asks of its backend.',
  'An answer is `{ code, errCode?, data | result, traceId }`. It is a success if `code` is 0 and `errCode` is missing.',
  'Money is whole minor units with an ISO 4217 code. Instants are epoch milliseconds of the clock of the server.',
  'A backend that knows a field which is not described here may send it: the storefront ignores it.',
  'A limit that applies after normalization is not in the schema of a text but in its description.',
  'Fields of a body that are not described here may be ignored or refused.',
  'Not described here: `GET /readyz`, outside `/api`. It is requested after a lost connection, until its status is below 500.',
].join('\n\n');
