import * as v from 'valibot';

const months = (usual: number) =>
  v.pipe(
    v.optional(v.string(), String(usual)),
    v.regex(/^\d{1,3}$/, 'must be a number of months'),
    v.transform(Number),
    v.minValue(1, 'must be a month or more'),
    v.maxValue(120, 'must be ten years or less'),
  );

const years = (usual: number) =>
  v.pipe(
    v.optional(v.string(), String(usual)),
    v.regex(/^\d{1,2}$/, 'must be a number of years'),
    v.transform(Number),
    v.minValue(1, 'must be a year or more'),
    v.maxValue(30, 'must be thirty years or less'),
  );

/** Retention. How much is stored, and for how long. */
export const retentionSettings = {
  /** Months for which sign-ins are stored, with their network addresses: 1 to 120. */
  SIGN_INS_KEPT_MONTHS: months(12),
  /** Months for which analytics events are stored: 1 to 120. */
  ANALYTICS_KEPT_MONTHS: months(13),
  /** Analytics events of one brand that are stored in a day, about 80 MB. Later events are dropped and counted. */
  ANALYTICS_EVENTS_PER_DAY: v.pipe(
    v.optional(v.string(), '200000'),
    v.regex(/^\d{1,9}$/, 'must be a number of events'),
    v.transform(Number),
  ),
  /** Years for which the orders of a deleted account are stored without a name, for tax law: 1 to 30. */
  ORDERS_KEPT_YEARS: years(10),
};
