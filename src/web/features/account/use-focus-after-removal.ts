import { useEffect, useRef, type RefObject } from 'react';

/** For the heading of a list: it receives the focus of a row that was removed. */
export function useFocusAfterRemoval(count: number | undefined) {
  const ref = useRef<HTMLHeadingElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const fewer = (count ?? 0) < (before.current ?? 0);
    before.current = count;
    if (fewer && document.activeElement === document.body) ref.current?.focus();
  }, [count]);
  return ref;
}

/** Scrolls to this heading if a link leads to it, because it is rendered after the page. */
export function useLinkedHere(ref: RefObject<HTMLHeadingElement | null>): void {
  useEffect(() => {
    const { current } = ref;
    if (!current || location.hash !== `#${current.id}`) return;
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: 'center' });
  }, [ref]);
}
