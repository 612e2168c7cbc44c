import type { AnyRouter } from '@tanstack/react-router';

interface Meta {
  title?: string;
  name?: string;
  content?: string;
}

/** The head's texts from the matched routes; the deepest route wins. */
export function headOf(router: AnyRouter): {
  title: string;
  description?: string | undefined;
  robots?: string | undefined;
} {
  // as: the router types meta by what React accepts, and only `pageHead` creates it
  const all = router.state.matches.flatMap((match) => (match.meta ?? []) as Meta[]);
  const named = (name: string) => all.findLast((meta) => meta.name === name)?.content;
  return {
    title: all.findLast((meta) => meta.title)?.title ?? '',
    description: named('description'),
    robots: named('robots'),
  };
}

/** Updates the tab's title after each navigation. */
export function syncHead(router: AnyRouter): () => void {
  const follow = () => {
    const { title } = headOf(router);
    if (title) document.title = title;
  };
  follow();
  return router.subscribe('onResolved', follow);
}
