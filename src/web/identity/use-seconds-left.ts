import { useEffect, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import type { CodeWait } from '../storage/sign-in-keys.ts';
import { secondsLeft } from './code-wait.ts';

/** Seconds until another code or mail can be asked for, by the server's clock, read again every second. */
export function useSecondsLeft(wait: Pick<CodeWait, 'until'> | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const read = () => {
      const seconds = secondsLeft(wait, serverNow());
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    };
    const timer = setInterval(read, 1000);
    read();
    return () => clearInterval(timer);
  }, [wait]);
  return left;
}
