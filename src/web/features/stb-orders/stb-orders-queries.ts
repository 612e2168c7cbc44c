import { queryInfo } from '../../../contract/account.ts';
import type { UserInfo } from '../../../contract/user.ts';
import { orders } from '../../../contract/orders.ts';
import type { Result } from '../../../contract/endpoint.ts';
import { isOpen } from '../../../contract/order-status.ts';
import { q } from '../../api/query.ts';

/** As many as a remote control walks through without losing its owner. */
const shown = 6;
/** While an order waits for its payment, the list is asked again so often, in milliseconds. */
const refreshMs = 15_000;

export const planQuery = ({ uid, account, type }: UserInfo) => q(queryInfo, { body: { uid, account, type } });

export const recentOrders = {
  ...q(orders, { body: { page: 1, size: shown } }),
  refetchInterval: ({ state }: { state: { data: Result<typeof orders> | undefined } }) =>
    state.data?.items.some((order) => isOpen(order.status)) ? refreshMs : (false as const),
};
