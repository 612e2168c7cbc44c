import { useEffect, useRef, type RefObject } from 'react';

/** Moves the focus to what is to be done, when it appears and whenever the customer is asked again. */
export function useFocusOnRequest(target: RefObject<HTMLElement | null>, asked: number): void {
  const done = useRef(0);
  useEffect(() => {
    if (done.current === asked) return;
    done.current = asked;
    target.current?.focus();
  }, [target, asked]);
}
