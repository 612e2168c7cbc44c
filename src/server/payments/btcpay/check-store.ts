import * as v from 'valibot';
import type { ProviderCheck } from '../gateway.ts';
import type { BtcpayDeps } from './invoices.ts';
import { apiKeySchema } from './schemas.ts';

/** The required permissions, each with the permissions that include it, by their names in the Greenfield API. */
const needed: readonly (readonly string[])[] = [
  ['btcpay.store.canviewinvoices', 'btcpay.store.canmodifyinvoices'],
  ['btcpay.store.cancreateinvoice', 'btcpay.store.canmodifyinvoices'],
  ['btcpay.store.canmodifyinvoices'],
  ['btcpay.store.cancreatepullpayments', 'btcpay.store.canmanagepullpayments'],
  ['btcpay.store.canmanagepullpayments'],
];
const all = ['btcpay.store.canmodifystoresettings', 'unrestricted'];

/** Reads at most one invoice, and the permissions of the key. */
export async function checkStore({ client, store }: BtcpayDeps): Promise<ProviderCheck> {
  const path = `/stores/${store.storeId}/invoices?take=1`;
  const read = await client.call({ method: 'GET', path }, v.array(v.unknown()));
  if (!read) return { works: false, says: 'nothing answers as BTCPay Server does at BTCPAY_URL' };
  if (read.kind === 'refused') {
    const wrong = read.status === 401 ? 'BTCPAY_API_KEY is not known' : 'BTCPAY_API_KEY does not open BTCPAY_STORE_ID';
    return { works: false, says: `${wrong} at BTCPAY_URL` };
  }
  const key = await client.call({ method: 'GET', path: '/api-keys/current' }, apiKeySchema);
  if (key?.kind !== 'done') return { works: false, says: 'BTCPAY_URL does not tell what BTCPAY_API_KEY may do' };
  const has = (name: string) =>
    key.body.permissions.some((permission) => permission === name || permission === `${name}:${store.storeId}`);
  const lacking = needed.filter((names) => ![...names, ...all].some(has)).map(([name = '']) => name);
  return lacking.length === 0
    ? { works: true, says: `the store ${store.storeId} is reached, and the key may do what it has to` }
    : { works: false, says: `BTCPAY_API_KEY lacks the permission ${lacking.join(', ')}` };
}
