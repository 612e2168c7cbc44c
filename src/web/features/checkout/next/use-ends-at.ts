import { useEffect, useRef } from 'react';
import { serverNow } from '../../../api/server-clock.ts';

/** Longer waits than this overflow the timers of browsers: a slip waits for days. */
const longestMs = 60 * 60_000;

/** Calls `onEnd` once when the moment (epoch milliseconds of the server) has come, for what shows no countdown. */
export function useEndsAt(until: number, onEnd: () => void): void {
  const latest = useRef(onEnd);
  useEffect(() => {
    latest.current = onEnd;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const left = until - serverNow();
      if (left <= 0) latest.current();
      else timer = setTimeout(look, Math.min(left, longestMs));
    };
    look();
    return () => clearTimeout(timer);
  }, [until]);
}
