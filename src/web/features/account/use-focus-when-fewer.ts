import { useEffect, useRef } from 'react';

/** For the heading of a list: the line that had the focus goes with what it was about. */
export function useFocusWhenFewer(count: number | undefined) {
  const ref = useRef<HTMLHeadingElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const fewer = (count ?? 0) < (before.current ?? 0);
    before.current = count;
    if (fewer && document.activeElement === document.body) ref.current?.focus();
  }, [count]);
  return ref;
}
