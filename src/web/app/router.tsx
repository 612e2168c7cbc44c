import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { RouteError } from '#web/routes/-route-error.tsx';
import { parseSearch, stringifySearch } from '#web/platform/entry/search.ts';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { routeTree } from '#web/routeTree.gen.ts';

/** The storefront's router; the server creates one for each page, the browser one in all. */
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
    // On the server this would write an inline script, which the content policy forbids.
    scrollRestoration: typeof document !== 'undefined' && restoreScroll(),
  });
}

/**
 * Scrolls every page to its top or its previous position, except the first page if the visitor has already scrolled it.
 */
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
