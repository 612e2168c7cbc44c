import type { AnyRouter } from '@tanstack/react-router';

interface Meta {
  title?: string;
  name?: string;
  content?: string;
}

/** The words for the head that the matched routes ask for; the deepest route wins. */
export function headOf(router: AnyRouter): {
  title: string;
  description?: string | undefined;
  robots?: string | undefined;
} {
  // The router types meta by what React accepts; `pageHead` is the only place that makes it.
  const all = router.state.matches.flatMap((match) => (match.meta ?? []) as Meta[]);
  const named = (name: string) => all.findLast((meta) => meta.name === name)?.content;
  return {
    title: all.findLast((meta) => meta.title)?.title ?? '',
    description: named('description'),
    robots: named('robots'),
  };
}

/** Keeps the tab's title in step with the page. */
export function syncHead(router: AnyRouter): () => void {
  const follow = () => {
    const { title } = headOf(router);
    if (title) document.title = title;
  };
  follow();
  return router.subscribe('onResolved', follow);
}
