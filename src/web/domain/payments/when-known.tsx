import type { Elements } from '../../ui/elements.ts';
import { mayBeKeptCopy } from '../../platform/storage/kept-copy.ts';
import { LoadFailed } from './load-failed.tsx';

/** An answer, and how to ask for it again. */
export interface Read extends Reading {
  onRetry: () => void;
}

interface WhenKnownProps extends Read {
  /** while the shop is being asked */
  asking: Elements;
  /** what is shown for an empty list */
  children: Elements;
}

export interface Reading {
  /** of the last read */
  error: Error | null;
  /** when the list was read, epoch milliseconds of this device */
  readAt: number;
}

/** What an empty list tells: it may be from before a purchase, in a copy of an earlier visit or before a failed read. */
export function knownEmpty({ error, readAt }: Reading): 'empty' | 'failed' | 'asking' {
  if (error) return 'failed';
  return mayBeKeptCopy(readAt) ? 'asking' : 'empty';
}

/** Whether the shop has just said so: what is missing in an older answer may have come since. */
export const isKnownEmpty = (reading: Reading): boolean => knownEmpty(reading) === 'empty';

/** Says that a list is empty only when the shop has just said so. */
export function WhenKnown({ error, readAt, onRetry, asking, children }: WhenKnownProps) {
  if (error) return <LoadFailed error={error} onRetry={onRetry} />;
  return knownEmpty({ error, readAt }) === 'asking' ? asking : children;
}
