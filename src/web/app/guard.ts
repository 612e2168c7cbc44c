import { redirect } from '@tanstack/react-router';
import { ensureWords } from '../i18n/catalogs.ts';
import { getSession } from '../session/session.ts';

/**
 * Opens a page of the customer's own: its words are brought ([Note: Words by part]), and who is not signed in logs in
 * first and comes back to the same place.
 */
export async function openCustomerPage(location: { href: string }): Promise<void> {
  if (!getSession()) throw redirect({ to: '/login', search: { return: location.href }, replace: true });
  await ensureWords('customer');
}
