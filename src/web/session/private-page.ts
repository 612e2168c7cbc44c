import { matchPath, paths } from '../../contract/paths.ts';

/** Pages of the app that show nothing of the customer who is signed in. */
const open: ReadonlySet<string> = new Set(['notice', 'payment-result', 'reset-password', 'resend-confirm']);

/** Whether what a page shows is for nobody but the customer who is signed in ([Note: Other tabs]). */
export function isPrivatePage(pathname: string): boolean {
  const pattern = matchPath(pathname);
  const row = pattern && paths[pattern];
  return row?.kind === 'app' && !open.has(row.page);
}
