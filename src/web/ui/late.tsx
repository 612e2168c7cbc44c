import { lazy, Suspense, type ComponentType } from 'react';

/**
 * A part of the page that nobody waits for: it appears when it has come, and where it cannot come, the page does
 * without it.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load().catch(missing) }));
  return function Late(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}

function missing(error: unknown): ComponentType<object> {
  console.info('A part of the page did not come.', error);
  return () => null;
}
