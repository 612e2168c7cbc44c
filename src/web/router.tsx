import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { RouteError } from './app/route-error.tsx';
import { parseSearch, stringifySearch } from './entry/search.ts';
import type { RouterContext } from './app/router-context.ts';
import { routeTree } from './routeTree.gen.ts';

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
    defaultViewTransition: true,
    defaultPendingMs: 400,
    // The server would write an inline script for this, which our headers forbid.
    scrollRestoration: typeof document !== 'undefined',
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
