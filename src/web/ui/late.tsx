import { lazy, Suspense, type ComponentType } from 'react';

/** On the server: the parts as they come. Those of a page start when its route is first loaded. */
const underWay: Promise<void>[] = [];

/** For the server, which cannot wait while it writes a page: resolves when every part is there, or cannot come. */
export async function lateParts(): Promise<void> {
  await Promise.all(underWay);
}

/**
 * A part of the page that nobody waits for: it appears when it has come, and where it cannot come, the page does
 * without it.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load().catch(missing) }));
  let there: ComponentType<Props> | undefined;
  if (import.meta.env.SSR)
    underWay.push(
      load()
        .catch(missing)
        .then((part) => void (there = part)),
    );
  return function Late(props: Props) {
    const Now = there ?? Part;
    return (
      <Suspense>
        <Now {...props} />
      </Suspense>
    );
  };
}

function missing(error: unknown): () => null {
  console.info('A part of the page did not come.', error);
  return () => null;
}
