import * as v from 'valibot';
import type { Context } from 'hono';
import type { Endpoint, UploadedFile } from '#contract/endpoint.ts';
import { emptySchema, idempotencyKeySchema } from '#contract/fields.ts';
import { requestHeadersSchema, type RequestHeaders } from '#contract/headers.ts';
import { bodyLimitBytes } from '#contract/limits.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { Admission } from '#server/runtime/request/body-gate.ts';
import { readBytes } from '#server/runtime/request/read-bytes.ts';
import { isCompleteFile, detectFileType } from '#server/runtime/file-types.ts';
import type { AppEnv, Parts } from '#server/runtime/request/request-context.ts';

/** Parses one part; invalid input is refused with the path of the first invalid field. */
export function parsePart<S extends v.GenericSchema<unknown, unknown>>(schema: S, value: unknown, name: string) {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  return refuseInput(safeFieldName(v.getDotPath(parsed.issues[0])) ?? name);
}

/**
 * The name of a field that the response may repeat. An unknown one is the caller's own text: it is omitted unless it
 * looks like a name, and if it contains digits that may be personal data.
 */
function safeFieldName(path: string | null): string | undefined {
  return path !== null && /^[A-Za-z][\w.-]{0,80}$/.test(path) && !/\d{4}/.test(path) ? path : undefined;
}

/** The five headers. A refusal names them as they are spelt in HTTP. */
export function readHeaders(c: Context): RequestHeaders {
  return parsePart(
    requestHeadersSchema,
    {
      authorization: c.req.header('authorization'),
      language: c.req.header('language'),
      'client-type': c.req.header('client-type'),
      scene: c.req.header('scene'),
      fingerprint: c.req.header('fingerprint'),
    },
    'headers',
  );
}

/** The key of the purchase intent, where the endpoint requires one. */
export function readIdempotencyKey(c: Context, endpoint: Endpoint): string | null {
  const key = c.req.header('idempotency-key');
  if (!endpoint.idempotent || (endpoint.idempotent === 'sometimes' && key === undefined)) return null;
  return parsePart(idempotencyKeySchema, key, 'Idempotency-Key');
}

/** Path and query. A part that the endpoint does not have must be empty. */
export function readAddress(c: Context<AppEnv>, endpoint: Endpoint): Parts {
  const parts: Parts = {};
  if (endpoint.params) parts.params = parsePart(endpoint.params, c.req.param(), 'params');
  const query = parsePart(endpoint.query ?? emptySchema, readQuery(c.req.url), 'query');
  if (endpoint.query) parts.query = query;
  return parts;
}

/** The body: a file, or JSON, which must be empty where the endpoint has no body. */
export async function readContent(c: Context<AppEnv>, endpoint: Endpoint, admission: Admission): Promise<Parts> {
  if (endpoint.file) return { file: await readFile(c, endpoint.file, admission) };
  const body = parsePart(endpoint.body ?? emptySchema, await readJson(c, admission), 'body');
  return endpoint.body ? { body } : {};
}

/** The query with its `?`, or an empty string. */
function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(searchOf(url))) {
    if (Object.hasOwn(query, name) || name === '__proto__') refuseInput(safeFieldName(name) ?? 'query');
    query[name] = value;
  }
  return query;
}

async function readJson(c: Context<AppEnv>, admission: Admission): Promise<unknown> {
  const text = (await readBytes(c, admission, { maxBytes: bodyLimitBytes })).toString('utf8');
  if (text === '') return {};
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) refuseInput('Content-Type');
  const value = parsed(text);
  // an object schema without fields would accept a list
  return Array.isArray(value) ? refuseInput('body') : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // invalid JSON is the caller's mistake; its text is not logged
    return refuseInput('body');
  }
}

/**
 * A body that is one file. Its declared type is ignored; its own bytes determine the type and whether it is complete.
 */
async function readFile(
  c: Context<AppEnv>,
  { types, maxBytes }: NonNullable<Endpoint['file']>,
  admission: Admission,
): Promise<UploadedFile> {
  const bytes = await readBytes(c, admission, { maxBytes });
  const type = detectFileType(bytes, types) ?? refuseInput('file', 415);
  if (!isCompleteFile(bytes, type)) refuseInput('file', 422);
  return { type, bytes };
}
