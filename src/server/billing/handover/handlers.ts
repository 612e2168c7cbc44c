import * as contract from '#contract/handover.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { closeHandover, handoverProgress, openHandover, takeHandover } from './handover-calls.ts';

/** The endpoints that hand over a checkout from a TV to a phone. */
export const handoverHandlers = {
  openHandover: bind(contract.openHandover, openHandover),
  handoverProgress: bind(contract.handoverProgress, handoverProgress),
  closeHandover: bind(contract.closeHandover, closeHandover),
  takeHandover: bind(contract.takeHandover, takeHandover),
};
