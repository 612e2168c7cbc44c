import type { AppRouter } from '../router.tsx';

/** A page that takes its time to come is seen to be on its way (`tokens.css`); for the first one the browser has a sign. */
export function showMoving(router: AppRouter): void {
  const { dataset } = document.documentElement;
  router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) dataset['moving'] = '';
  });
  router.subscribe('onResolved', () => delete dataset['moving']);
}
