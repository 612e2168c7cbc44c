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

/**
 * A DPoP proof (RFC 9449), signed with ES256: `htm` and `htu` are the method and the address of the call, `iat` its time,
 * `jti` is new for each call, and `ath` is the hash of the bound token in `Authorization`, which has no scheme.
 * `invalidToken` for the proof of another key or token, `invalidRequest` with the field `DPoP` for another call or an
 * invalid proof, `staleProof` if the time differs too much from the `Date` of the answer, or a write has sent the proof
 * before: a new proof by that date is then accepted.
 */
export const dpopHeaderSchema = v.pipe(textSchema, v.maxLength(2000), v.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/));
