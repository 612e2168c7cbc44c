import * as contract from '#contract/my-data.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { deletionState, keepAccount, requestDeletion } from './deletion.ts';
import { exportData, exportReceipts } from './export-data.ts';

/** The endpoints of the data export and the deletion of an account. */
export const myDataHandlers = {
  exportData: bind(contract.exportData, exportData),
  exportReceipts: bind(contract.exportReceipts, exportReceipts),
  deletionState: bind(contract.deletionState, deletionState),
  requestDeletion: bind(contract.requestDeletion, requestDeletion),
  keepAccount: bind(contract.keepAccount, keepAccount),
};
