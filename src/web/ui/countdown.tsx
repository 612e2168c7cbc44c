import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

interface CountdownProps {
  /** epoch milliseconds */
  until: number;
  /** the server's time in epoch milliseconds, because the phone's clock may be wrong */
  now: () => number;
  onEnd?: (() => void) | undefined;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Whole days from one day on, else a clock: "3 days" is easier to read than 72 hours. */
export function timeLeft(seconds: number): { days: number } | { clock: string } {
  const hours = Math.floor(seconds / 3600);
  if (hours >= 24) return { days: Math.floor(hours / 24) };
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return { clock: hours > 0 ? `${hours}:${clock}` : clock };
}

/** The seconds left, updated every second; undefined until hydration, so that rendering reads no clock. */
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

/** How many seconds an announcement stays: long enough for a screen reader, and removed before it is wrong. */
const announcedForSeconds = 5;

/** The announced minutes left; undefined between the announcements. */
export function announcedMinutes(left: number | undefined): 5 | 1 | 0 | undefined {
  if (left === 0) return 0;
  return ([5, 1] as const).find(
    (minutes) => left !== undefined && left <= minutes * 60 && left > minutes * 60 - announcedForSeconds,
  );
}

/**
 * The time left as mm:ss, and from one day on in days. Announced at five minutes, one minute and the end, not every
 * second.
 */
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
