import * as v from 'valibot';
import { paths, type PathPattern } from '#contract/paths.ts';

/** URL for the web vitals of a page. Not an API call: no session, no answer. Sent by `sendBeacon`. */
export const vitalsReportPath = '/vitals-reports';

// as: the keys of the table
const patterns = Object.keys(paths) as PathPattern[];

/**
 * What a visitor experienced of a page from its load until it was left: largest paint and slowest interaction in
 * milliseconds, and layout shift. Contains nothing about the visitor, and of the URL its pattern only.
 */
export const vitalsReportSchema = v.strictObject({
  route: v.picklist(patterns),
  LCP: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000))),
  INP: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000))),
  CLS: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000))),
});
export type VitalsReport = v.InferOutput<typeof vitalsReportSchema>;
