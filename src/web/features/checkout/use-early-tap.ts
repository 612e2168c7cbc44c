import { useEffect, useRef } from 'react';
import type { Money } from '#contract/money.ts';
import { sameMoney } from './act/pay-machine.ts';

interface Payable {
  /** what is paid with; a tap is valid for this only */
  readonly choice: string;
  /** the price on the screen */
  readonly price: Money | undefined;
  /** the tap itself charges that price */
  readonly chargesAtOnce: boolean;
}

/** Whether a tap while the price was loading is still valid for what is on the screen now. */
export function stillMeans(tapped: Payable, now: Payable): boolean {
  if (tapped.choice !== now.choice) return false;
  // nobody agrees to an amount that was not on the screen
  if (!now.chargesAtOnce) return true;
  return tapped.price !== undefined && now.price !== undefined && sameMoney(tapped.price, now.price);
}

interface EarlyTap extends Payable {
  readonly state: 'waiting' | 'ready' | 'failed';
  readonly pay: () => void;
}

/**
 * Stores a tap on the pay button before the price is loaded, and replays it then. Returns the function that stores a
 * tap.
 */
export function useEarlyTap({ pay, state, ...now }: EarlyTap): () => void {
  const tapped = useRef<Payable>(undefined);
  const latest = useRef({ pay, now });
  useEffect(() => {
    latest.current = { pay, now };
  });
  useEffect(() => {
    if (state === 'waiting' || !tapped.current) return;
    const found = tapped.current;
    tapped.current = undefined;
    if (state === 'ready' && stillMeans(found, latest.current.now)) latest.current.pay();
  }, [state]);
  return () => {
    tapped.current = now;
  };
}
