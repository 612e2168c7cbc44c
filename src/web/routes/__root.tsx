import { createRootRouteWithContext, type ErrorComponentProps } from '@tanstack/react-router';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { RootLayout } from '#web/shells/root-layout.tsx';
import { RouteError } from './-route-error.tsx';
import { PlainFrame } from '#web/shells/plain-layout.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({
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
