import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { RouteError } from '#web/routes/-route-error.tsx';
import { parseSearch, stringifySearch } from '#web/platform/entry/search.ts';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { routeTree } from '#web/routeTree.gen.ts';

/** The storefront's router; the server makes one for each page, the browser one for its life. */
export function createAppRouter(context: RouterContext, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context,
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultErrorComponent: RouteError,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 400,
    // The server would write an inline script for this, which our headers forbid.
    scrollRestoration: typeof document !== 'undefined' && restoreScroll(),
  });
}

/** Every page but the one that comes to life is begun at its top, or where it was left: that one is already being read. */
function restoreScroll(): () => boolean {
  let first = true;
  return () => {
    const restores = !first || scrollY === 0;
    first = false;
    return restores;
  };
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
