import * as v from 'valibot';

/**
 * URL for reports of pages whose scripts did not start ([Note: Start guard]). Not an API call: no session, no answer.
 */
export const startReportPath = '/start-reports';

/** Why a page did not start, and how it was repaired. */
export const startReportSchema = v.strictObject({
  reason: v.picklist(['timeout', 'load', 'error', 'policy']),
  repair: v.picklist(['scripts fetched again', 'worker removed', 'plain page']),
});

type StartReport = v.InferOutput<typeof startReportSchema>;
export type StartFailure = StartReport['reason'];
export type StartRepair = StartReport['repair'];
