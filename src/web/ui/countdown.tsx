import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

interface CountdownProps {
  /** epoch milliseconds */
  until: number;
  /** the server's time in epoch milliseconds; the phone's clock is not believed */
  now: () => number;
  onEnd?: (() => void) | undefined;
}

const two = (value: number) => String(value).padStart(2, '0');

function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = two(Math.floor(seconds / 60) % 60);
  return hours > 0 ? `${hours}:${minutes}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Seconds left, read again every second; undefined until the page is alive, so that no clock is read while rendering. */
function useSecondsLeft({ until, now, onEnd }: CountdownProps): number | undefined {
  const [left, setLeft] = useState<number>();
  const latest = useRef({ now, onEnd });
  useEffect(() => {
    latest.current = { now, onEnd };
  });
  useEffect(() => {
    const read = () => {
      const seconds = Math.max(0, Math.ceil((until - latest.current.now()) / 1000));
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      latest.current.onEnd?.();
    };
    const timer = setInterval(read, 1000);
    read();
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

/** Which of the three moments was reached last; undefined before the first. */
function announcedMinutes(left: number | undefined): 5 | 1 | 0 | undefined {
  if (left === undefined || left > 300) return undefined;
  if (left > 60) return 5;
  return left > 0 ? 1 : 0;
}

/** Time left as mm:ss. Read out at five minutes, one minute and the end, not every second. */
export function Countdown(props: CountdownProps) {
  const { t } = useLingui();
  const left = useSecondsLeft(props);
  const minutes = announcedMinutes(left);
  const words = minutes ? t`${plural(minutes, { one: '# minute left', other: '# minutes left' })}` : t`Time is up`;
  return (
    <>
      <span className="num" role="timer" aria-live="off">
        {left === undefined ? '–:–' : clockText(left)}
      </span>
      <span className="sr-only" role="status">
        {minutes === undefined ? null : words}
      </span>
    </>
  );
}
