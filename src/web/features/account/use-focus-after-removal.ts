import { useEffect, useRef, type RefObject } from 'react';

/** For the heading of a list: the line that had the focus goes with what it was about. */
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

/** A link may lead to this heading, which comes after the page. */
export function useLinkedHere(ref: RefObject<HTMLHeadingElement | null>): void {
  useEffect(() => {
    const { current } = ref;
    if (!current || location.hash !== `#${current.id}`) return;
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: 'center' });
  }, [ref]);
}
