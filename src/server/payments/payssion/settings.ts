import * as v from 'valibot';

const key = v.optional(v.pipe(v.string(), v.regex(/^\w{8,100}$/, 'must be letters, digits and _')));

/** An app at Payssion; without it there is none. */
export const payssionSettings = {
  PAYSSION_API_KEY: key,
  PAYSSION_SECRET_KEY: key,
  PAYSSION_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  /** an address in place of Payssion's, for a stand-in */
  PAYSSION_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
};

export const payssionNames = ['PAYSSION_API_KEY', 'PAYSSION_SECRET_KEY'] as const;
