import { createRootRouteWithContext, redirect, type ErrorComponentProps } from '@tanstack/react-router';
import { hasPage } from '#contract/paths.ts';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { RootLayout } from '#web/shells/root-layout.tsx';
import { RouteError } from './-route-error.tsx';
import { PlainFrame } from '#web/shells/plain-layout.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ location, context: { brand } }) => {
    if (!hasPage(brand.siteConfig, location.pathname)) throw redirect({ to: '/404', replace: true });
  },
  component: RootLayout,
  errorComponent: RootError,
  // '/$' catches every unknown path; this only disables the router's own page.
  notFoundComponent: () => null,
});

/** An error of the layouts themselves. */
function RootError(props: ErrorComponentProps) {
  return (
    <PlainFrame>
      <RouteError {...props} />
    </PlainFrame>
  );
}
