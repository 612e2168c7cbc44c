import type { unbindDiscountCode } from '../../contract/orders.ts';
import { refuse } from '../api-error.ts';
import type { Handler } from '../mount.ts';

export const handleUnbindDiscountCode: Handler<typeof unbindDiscountCode> = () => refuse(1003);
