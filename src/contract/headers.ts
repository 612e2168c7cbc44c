import * as v from 'valibot';
import { languageSchema, textSchema } from './fields.ts';
import { sceneSchema, type ClientType } from './scene.ts';

const clientTypes: readonly ClientType[] = ['WEB', 'WAP'];

/**
 * The five headers of every call. `Authorization` is the bare token, or `null` for a visitor. All are optional: the API
 * applies the defaults below.
 */
export const requestHeadersSchema = v.object({
  authorization: v.pipe(
    v.optional(textSchema, 'null'),
    v.regex(/^(null|[\w-]{20,128})$/),
    v.transform((value) => (value === 'null' ? null : value)),
  ),
  language: v.optional(languageSchema, 'en'),
  'client-type': v.optional(v.picklist(clientTypes), 'WEB'),
  scene: v.optional(sceneSchema, 'WEB'),
  fingerprint: v.pipe(v.optional(textSchema, ''), v.regex(/^[\w-]{0,64}$/)),
});
export type RequestHeaders = v.InferOutput<typeof requestHeadersSchema>;
