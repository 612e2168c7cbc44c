import { useState } from 'react';
import type { Elements } from '#web/ui/elements.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/saved-copies.ts';
import { LoadFailed } from './load-failed.tsx';

/** An answer, and how to ask for it again. */
export interface RetryableRead extends ReadState {
  onRetry: () => void;
}

interface WhenKnownProps extends RetryableRead {
  /** while the shop is being asked */
  asking: Elements;
  /** what is shown for an empty list */
  children: Elements;
}

export interface ReadState {
  /** of the last read */
  error: Error | null;
  /** when the list was read, epoch milliseconds of this device */
  readAt: number;
}

/** What an empty list tells: it may be from before a purchase, in a copy of an earlier visit or before a failed read. */
export function emptyListState({ error, readAt }: ReadState): 'empty' | 'failed' | 'asking' {
  if (error) return 'failed';
  return mayBeSavedCopy(readAt) ? 'asking' : 'empty';
}

/** Whether the answer is of this visit and without error. What an older answer lacks may have been added since. */
export const isKnownEmpty = (read: ReadState): boolean => emptyListState(read) === 'empty';

/** Whether `is` was true in any rendering so far: what was shown stays, with its focus, when a later read fails. */
export function useWasEverTrue(is: boolean): boolean {
  const [has, setHas] = useState(is);
  if (is && !has) setHas(true);
  return is || has;
}

/** Says that a list is empty only when the shop has just said so. */
export function WhenKnown({ error, readAt, onRetry, asking, children }: WhenKnownProps) {
  if (error) return <LoadFailed error={error} onRetry={onRetry} />;
  return emptyListState({ error, readAt }) === 'asking' ? asking : children;
}
