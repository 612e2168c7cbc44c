import * as contract from '../../contract/payment-steps.ts';
import { refuse } from '../api-error.ts';
import { bind } from '../mount.ts';

export const uploadHandlers = {
  uploadObject: bind(contract.uploadObject, () => refuse(-3031)),
  orderUpload: bind(contract.orderUpload, () => refuse(4598)),
};
