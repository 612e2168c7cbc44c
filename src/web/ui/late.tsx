import { lazy, memo, Suspense, type ComponentType, type ReactNode } from 'react';

/** On the server: the parts as they come. Those of a page start when its route is first loaded. */
const underWay: Promise<void>[] = [];

/** For the server, which cannot wait while it writes a page: resolves when every part is there, or cannot come. */
export async function lazyPartsReady(): Promise<void> {
  await Promise.all(underWay);
}

interface Needed {
  /** the page is nothing without it: this stands in for it meanwhile, and the page's own error where it cannot come */
  readonly meanwhile: ReactNode;
}

/**
 * A part of the page that is fetched when it is first drawn. Nobody waits for it: it appears when it has come, and where
 * it cannot come, the page does without it, unless it is `needed`. What is fetched by a tap is for `use-lazy-module.ts`.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  needed?: Needed,
): ComponentType<Props> {
  const Part = lazy(async () => {
    await nextTask();
    return { default: await (needed ? load() : load().catch(never)) };
  });
  let there: ComponentType<Props> | undefined;
  if (import.meta.env.SSR)
    underWay.push(
      load()
        .catch((error: unknown) => {
          console.info('A part did not come.', error);
          return () => null;
        })
        .then((part) => void (there = part)),
    );
  // a page that is drawn anew for another reason would throw away what the server has written of a part that does not live yet
  return memo(function Late(props: Props) {
    const Now = there ?? Part;
    return (
      <Suspense fallback={needed?.meanwhile}>
        <Now {...props} />
      </Suspense>
    );
  });
}

/** Asking for a file takes a slow phone longer than drawing what it is for, and the page around it is waited for. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** In the browser: what the server has written of the part stays there as it is, and what was not written yet stays away. */
function never(error: unknown): Promise<never> {
  console.info('A part did not come.', error);
  return new Promise(() => {});
}
