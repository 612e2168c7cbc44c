import * as v from 'valibot';

const months = (usual: number) =>
  v.pipe(
    v.optional(v.string(), String(usual)),
    v.regex(/^\d{1,3}$/, 'must be a number of months'),
    v.transform(Number),
    v.minValue(1, 'must be a month or more'),
    v.maxValue(120, 'must be ten years or less'),
  );

/** How much of visits and sign-ins is stored, and for how long. */
export const retentionSettings = {
  /** how long sign-ins, with their network addresses, and analytics are kept */
  SIGN_INS_KEPT_MONTHS: months(12),
  ANALYTICS_KEPT_MONTHS: months(13),
  /** events of one brand that are stored in a day; the rest is dropped and counted */
  ANALYTICS_EVENTS_PER_DAY: v.pipe(
    v.optional(v.string(), '200000'),
    v.regex(/^\d{1,9}$/, 'must be a number of events'),
    v.transform(Number),
  ),
};
