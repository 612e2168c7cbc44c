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

/** Whole days from a day on, else a clock; hours that nobody can count would be in the way of "in three days". */
export function timeLeft(seconds: number): { days: number } | { clock: string } {
  const hours = Math.floor(seconds / 3600);
  if (hours >= 24) return { days: Math.floor(hours / 24) };
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return { clock: hours > 0 ? `${hours}:${clock}` : clock };
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

/** For how many seconds a moment is told: long enough to be read out, and gone before it is no longer true. */
const toldFor = 5;

/** Which of the three moments it is, in minutes left; undefined for all the time between them. */
export function announcedMinutes(left: number | undefined): 5 | 1 | 0 | undefined {
  if (left === 0) return 0;
  return ([5, 1] as const).find(
    (minutes) => left !== undefined && left <= minutes * 60 && left > minutes * 60 - toldFor,
  );
}

/** Time left as mm:ss, and from a day on in days. Read out at five minutes, one minute and the end, not every second. */
export function Countdown(props: CountdownProps) {
  const { t } = useLingui();
  const left = useSecondsLeft(props);
  const minutes = announcedMinutes(left);
  const words = minutes ? t`${plural(minutes, { one: '# minute left', other: '# minutes left' })}` : t`Time is up`;
  return (
    <>
      <span className="num" translate="no" role="timer" aria-live="off">
        {left === undefined ? '–:–' : <Left {...timeLeft(left)} />}
      </span>
      <span className="sr-only" role="status">
        {minutes === undefined ? null : words}
      </span>
    </>
  );
}

function Left({ days, clock }: { days?: number; clock?: string }) {
  const { t } = useLingui();
  return <span>{days === undefined ? clock : t`${plural(days, { one: '# day', other: '# days' })}`}</span>;
}
