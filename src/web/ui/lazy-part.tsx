import { lazy, memo, Suspense, type ComponentType, type ReactNode } from 'react';

/** On the server: the parts that are loading. Those of a page start to load with its route. */
const loadingParts: Promise<void>[] = [];

/** For the server, which cannot wait during a render: resolves when every part has loaded or failed. */
export async function lazyPartsReady(): Promise<void> {
  await Promise.all(loadingParts);
}

/** The page is useless without the part: shows this meanwhile, and the page's own error if the part fails to load. */
interface Needed {
  readonly meanwhile: ReactNode;
}

/** Shown until the part is loaded, and if it fails to load. */
interface Fallback<Props> {
  readonly fallback: (props: Props) => ReactNode;
}

/**
 * A part of the page that is loaded when it is first rendered. The page does not wait for it, and stays without it if
 * it fails to load, unless it is `needed`. For code that a tap loads, see `use-lazy-module.ts`.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  needed?: Needed | Fallback<Props>,
): ComponentType<Props> {
  const isNeeded = needed !== undefined && 'meanwhile' in needed;
  const Part = lazy(async () => {
    await nextTask();
    return { default: await (isNeeded ? load() : load().catch(never)) };
  });
  let loaded: ComponentType<Props> | undefined;
  if (import.meta.env.SSR)
    loadingParts.push(
      load()
        .catch((error: unknown) => {
          console.info('A part did not come.', error);
          return () => null;
        })
        .then((part) => void (loaded = part)),
    );
  // memo, because a render of the page would otherwise discard the server's HTML of a part that is not hydrated yet
  return memo(function Late(props: Props) {
    const Now = loaded ?? Part;
    return (
      <Suspense fallback={isNeeded ? needed.meanwhile : needed?.fallback(props)}>
        <Now {...props} />
      </Suspense>
    );
  });
}

/** Starting the request takes a slow phone longer than rendering, and the page around the part comes first. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** In the browser: the server's HTML of the part stays, and a part without HTML stays absent. */
function never(error: unknown): Promise<never> {
  console.info('A part did not come.', error);
  return new Promise(() => {});
}
