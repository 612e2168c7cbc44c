import * as v from 'valibot';
import { ownPathSchema } from '#contract/fields.ts';
import { areaCodes } from '#contract/site.ts';
import { documentSchema } from '#contract/documents.ts';
import { stored } from './stored.ts';

/** The policy texts that a customer agrees to, by `type.language`. */
export const policyInfoKey = stored('PolicyInfo', v.record(v.string(), documentSchema), 'session', { personal: false });

/** The countries with their telephone codes. */
export const countryAndPhoneCodeKey = stored('CountryAndPhoneCode', areaCodes.result, 'session', { personal: false });

/** A started sign-in with Google: its response is compared with this, once. */
const googleStartSchema = v.object({
  state: v.pipe(v.string(), v.minLength(16)),
  nonce: v.pipe(v.string(), v.minLength(16)),
  codeVerifier: v.pipe(v.string(), v.minLength(43)),
  returnTo: v.optional(ownPathSchema),
  /** the page that offered Google, with its query; undefined if it is too long */
  page: v.fallback(v.optional(ownPathSchema), undefined),
});
export type GoogleStart = v.InferOutput<typeof googleStartSchema>;

export const googleStartKey = stored('googleStart', googleStartSchema, 'session');
