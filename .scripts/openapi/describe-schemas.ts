import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { toJsonSchema, type ConversionConfig, type JsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Endpoint } from '#contract/endpoint.ts';
import { root } from '#tests/fixtures/source-tree.ts';
import { commentOf, commentOfEntry, keepDocComments } from './doc-comments.ts';

type Schema = v.GenericSchema<unknown, unknown>;
type Module = Readonly<Record<string, unknown>>;

keepDocComments();
const folder = `${root}/src/contract`;
const load = (name: string) => import(`${folder}/${name}`) as Promise<Module>;
// as: the modules are imported by their paths, after the hook that keeps their comments
export const { errors } = (await load('error-codes.ts')) as typeof import('#contract/error-codes.ts');
export const { refusalParamsSchema } = (await load('envelope.ts')) as typeof import('#contract/envelope.ts');
export const { idempotencyKeySchema } = (await load('fields.ts')) as typeof import('#contract/fields.ts');
export const { dpopHeaderSchema, requestHeadersSchema } = (await load(
  'headers.ts',
)) as typeof import('#contract/headers.ts');
export const { capabilityCalls } = (await load(
  'capability-calls.ts',
)) as typeof import('#contract/capability-calls.ts');
export const { contractVersion } = (await load('version.ts')) as typeof import('#contract/version.ts');
export const endpoints = Object.values(await load('index.ts')) as readonly Endpoint[]; // as: index.ts exports nothing else
export const definitions = await namedSchemas();

/** The exported schemas of the contract, by their names in the description: `moneySchema` is `Money`. */
async function namedSchemas(): Promise<Record<string, Schema>> {
  const files = readdirSync(folder).filter((name) => /^[\w-]+\.ts$/.test(name));
  const modules = await Promise.all(files.map(load));
  const named = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      isSchema(value) && name.endsWith('Schema') ? [[typeName(name), value] as const] : [],
    ),
  );
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function typeName(name: string): string {
  return name.replace(/Schema$/, '').replace(/^./, (letter) => letter.toUpperCase());
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

const config: ConversionConfig = {
  // what is sent: the client fills in defaults and converts spellings
  typeMode: 'input',
  target: 'draft-2020-12',
  definitions,
  // a transformation or a check by a function has no counterpart
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) => withPattern(valibotAction, jsonSchema),
  overrideSchema: ({ valibotSchema, jsonSchema }) => described(valibotSchema, jsonSchema),
};

/** Of every text: no NUL and no half of a surrogate pair. Libraries of other languages do not know `\p{Cs}`. */
const wellFormed = String.raw`^[^\0\p{Cs}]*$`;

/** JSON Schema reads patterns as Unicode and has no flags, so only those without `i` can be given. */
function withPattern(action: object, schema: JsonSchema): JsonSchema | null {
  const { requirement } = action as { requirement?: unknown }; // as: actions have different requirements
  if (!(requirement instanceof RegExp)) return null;
  const { source, flags } = requirement;
  const { pattern, ...rest } = schema;
  if (source === wellFormed) return pattern === wellFormed ? rest : schema;
  // the library converts patterns without flags only
  if (flags === '' || flags.includes('i')) return schema;
  return pattern === undefined ? { ...rest, pattern: source } : { ...schema, allOf: [{ pattern: source }] };
}

/** A schema that is not `true`, which would allow everything. */
export const objectOf = (schema: JsonSchema | boolean): JsonSchema => (typeof schema === 'boolean' ? {} : schema);

/** Adds the comments of the properties, and joins spellings that differ in nothing that JSON Schema can say. */
function described(schema: object, json: JsonSchema): JsonSchema | null {
  const { entries } = schema as { entries?: Readonly<Record<string, unknown>> }; // as: only objects have entries
  const { properties, anyOf, ...rest } = json;
  const [first, ...others] = anyOf ?? [];
  if (first && others.every((other) => isDeepStrictEqual(other, first))) return { ...objectOf(first), ...rest };
  if (!entries || !properties) return null;
  const withComments = Object.entries(properties).map(([name, property]) => {
    const description = commentOfEntry(entries, name);
    return [name, description === undefined ? property : { ...objectOf(property), description }] as const;
  });
  return { ...json, properties: Object.fromEntries(withComments) };
}

/** The JSON Schema of a part, without the dialect, which the whole description names. */
export function schemaOf(schema: Schema): JsonSchema {
  const { $schema: _, $defs: _defs, ...json } = toJsonSchema(schema, config);
  return json;
}

/** The same of a named schema: itself instead of a reference to it. */
export function definitionOf(schema: Schema): JsonSchema {
  const others = Object.fromEntries(Object.entries(definitions).filter(([, other]) => other !== schema));
  const { $schema: _, $defs: _defs, ...json } = toJsonSchema(schema, { ...config, definitions: others });
  const description = commentOf(schema);
  return { ...json, ...(description !== undefined && { description }) };
}
