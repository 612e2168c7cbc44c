import type { sandboxPaypalOrders } from '../schema.ts';

/** An order as the sandbox PayPal keeps it. Amounts in minor units, instants in epoch milliseconds. */
export type Order = typeof sandboxPaypalOrders.$inferSelect;
