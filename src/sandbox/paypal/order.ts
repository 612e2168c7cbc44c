import type { sandboxPaypalOrders } from '../schema.ts';

/** An order of the sandbox PayPal. Amounts in minor units, timestamps in epoch milliseconds. */
export type Order = typeof sandboxPaypalOrders.$inferSelect;
