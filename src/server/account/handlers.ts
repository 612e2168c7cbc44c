import * as contract from '../../contract/account.ts';
import * as boxes from '../../contract/boxes.ts';
import { hashing } from '../auth/password.ts';
import { bind } from '../mount.ts';
import { endBox, listBoxes } from './boxes.ts';
import { changePassword } from './change-password.ts';
import { queryInfo } from './query-info.ts';
import { queryUrv } from './query-urv.ts';

/** The calls about the customer's own account. */
export const accountHandlers = {
  queryInfo: bind(contract.queryInfo, queryInfo),
  queryUrv: bind(contract.queryUrv, queryUrv),
  changePassword: bind(contract.changePassword, hashing(changePassword)),
  listBoxes: bind(boxes.listBoxes, listBoxes),
  endBox: bind(boxes.endBox, endBox),
};
