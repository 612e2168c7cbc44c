import * as v from 'valibot';

const key = v.optional(v.pipe(v.string(), v.regex(/^\w{8,100}$/, 'must be letters, digits and _')));

/** Payssion. An app at Payssion. */
export const payssionSettings = {
  /** The API key of the app. */
  PAYSSION_API_KEY: key,
  /** The secret key of the app. */
  PAYSSION_SECRET_KEY: key,
  /** `sandbox` is Payssion's test environment. `live` moves real money. */
  PAYSSION_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  /** The origin of a server that replaces Payssion in tests. */
  PAYSSION_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
};

export const payssionNames = ['PAYSSION_API_KEY', 'PAYSSION_SECRET_KEY'] as const;
