import * as v from 'valibot';

/** Where a page reports that its scripts did not start ([Note: Start guard]). Not a call of the API: no session, no answer. */
export const startReportPath = '/start-reports';

/** Why a page did not start, and what it did about it. */
export const startReportSchema = v.strictObject({
  reason: v.picklist(['timeout', 'load', 'error', 'policy']),
  repair: v.picklist(['scripts fetched again', 'worker removed', 'plain page']),
});

type StartReport = v.InferOutput<typeof startReportSchema>;
export type StartFailure = StartReport['reason'];
export type StartRepair = StartReport['repair'];
