import type { orderRemind } from '../../contract/orders.ts';
import { refuse } from '../api-error.ts';
import type { Handler } from '../mount.ts';

export const handleOrderRemind: Handler<typeof orderRemind> = () => refuse(4598);
