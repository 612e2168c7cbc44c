import * as contract from '#contract/push.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { renewPush } from '#server/messages/push/send-push.ts';
import { endPush, listPush, subscribePush } from './subscriptions.ts';

/** The endpoints of push subscriptions. */
export const pushHandlers = {
  listPush: bind(contract.listPush, listPush),
  subscribePush: bind(contract.subscribePush, subscribePush),
  endPush: bind(contract.endPush, endPush),
  renewPush: bind(contract.renewPush, renewPush),
};
