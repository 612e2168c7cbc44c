import { redirect } from '@tanstack/react-router';
import { getSession } from '../session/session.ts';

/** Lets only the signed-in pass; others log in first and come back to the same place. */
export function requireSession(location: { href: string }): void {
  if (getSession()) return;
  throw redirect({ to: '/login', search: { return: location.href }, replace: true });
}
