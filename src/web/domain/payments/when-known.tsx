import { useState } from 'react';
import type { Elements } from '#web/ui/elements.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/saved-copies.ts';
import { LoadFailed } from './load-failed.tsx';

/** A read, and how to repeat it. */
export interface RetryableRead extends ReadState {
  onRetry: () => void;
}

interface WhenKnownProps extends RetryableRead {
  /** shown while loading */
  asking: Elements;
  /** shown for an empty list */
  children: Elements;
}

export interface ReadState {
  /** of the last read */
  error: Error | null;
  /** when the list was read, epoch milliseconds of this device */
  readAt: number;
}

/** Whether an empty list can be believed: it may be older than a purchase, from a saved copy or a failed read. */
export function emptyListState({ error, readAt }: ReadState): 'empty' | 'failed' | 'asking' {
  if (error) return 'failed';
  return mayBeSavedCopy(readAt) ? 'asking' : 'empty';
}

/** Whether the response is from this visit and without error. Entries may have been added since an older one. */
export const isKnownEmpty = (read: ReadState): boolean => emptyListState(read) === 'empty';

/** Whether `is` was true in any rendering so far: shown content stays, with its focus, if a later read fails. */
export function useWasEverTrue(is: boolean): boolean {
  const [has, setHas] = useState(is);
  if (is && !has) setHas(true);
  return is || has;
}

/** Shows a list as empty only after a fresh response. */
export function WhenKnown({ error, readAt, onRetry, asking, children }: WhenKnownProps) {
  if (error) return <LoadFailed error={error} onRetry={onRetry} />;
  return emptyListState({ error, readAt }) === 'asking' ? asking : children;
}
