import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { daysRemaining, remainingTimeState, type AccountInfo } from '#contract/account.ts';
import { periodsAt } from '#contract/periods.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { Alert } from '#web/ui/alert.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { DateText } from './period-text.tsx';
import { useEffect, useState } from 'react';
import { mayBeSavedCopy } from '#web/platform/session/storage/personal-copies.ts';
import { LoadFailed } from './load-failed.tsx';

const monthMs = 30 * 86_400_000;

/** The remaining access over all periods, the same on every page that shows it. */
export interface Access {
  readonly state: ReturnType<typeof remainingTimeState>;
  /** rounded up, 0 if nothing is left */
  readonly days: number;
  /** epoch milliseconds; null before the first plan */
  readonly until: number | null;
  readonly runs: boolean;
  /** remaining share of the time since the current period began, 0 to 1; of a month if that is unknown */
  readonly share: number;
}

export function accessOf({ expiredTime, periods }: Pick<AccountInfo, 'expiredTime' | 'periods'>, now: number): Access {
  const state = remainingTimeState(expiredTime, now);
  const left = Math.max(0, (expiredTime ?? now) - now);
  const since = periodsAt(periods, now).running?.from ?? null;
  return {
    state,
    days: daysRemaining(expiredTime, now),
    until: expiredTime,
    runs: state === 'days' || state === 'lessThanADay',
    share: since === null ? Math.min(1, left / monthMs) : left / Math.max(1, left + now - since),
  };
}

/** When the renewal is charged automatically; undefined if it is not, or needs consent first. */
export function renewsAt(info: RenewalInfo | undefined): number | undefined {
  return info?.status === 'on' && info.asks === null ? info.terms.nextChargeAt : undefined;
}

interface WhenAccessKnownProps {
  access: Access;
  read: RetryableRead;
  /** shown while loading */
  asking: Elements;
  children: Elements;
}

/** Shows "no plan" or "ended" only from a response of this visit: a plan may have been bought since an older one. */
export function ConfirmedAccess({ access, read, asking, children }: WhenAccessKnownProps) {
  if (access.runs) return children;
  return (
    <ConfirmedEmptyList {...read} asking={asking}>
      {children}
    </ConfirmedEmptyList>
  );
}

export function DaysLeft({ access: { state, days } }: { access: Access }) {
  switch (state) {
    case 'none':
      return <Trans>You don’t have a plan yet</Trans>;
    case 'expired':
      return <Trans>Your access has ended</Trans>;
    case 'lessThanADay':
      return <Trans>Less than a day left</Trans>;
    case 'days':
      return <Plural value={days} one="# day left" other="# days left" />;
  }
}

/** When access ends, ended or renews; nothing before the first plan. */
export function AccessEndText({
  access: { state, until },
  renewal,
}: {
  access: Access;
  renewal: RenewalInfo | undefined;
}) {
  if (until === null) return null;
  const renews = renewsAt(renewal);
  if (state === 'expired') {
    const day = <DateText at={until} />;
    return <Trans>Ended on {day}</Trans>;
  }
  const day = <DateText at={renews ?? until} />;
  return renews === undefined ? <Trans>Expires on {day}</Trans> : <Trans>Renews automatically on {day}</Trans>;
}

/** Nothing can be bought in the week before the account is deleted; cancelling the deletion takes one more tap. */
export function PendingDeletion({ at }: { at: number }) {
  const day = <DateText at={at} />;
  const act = (
    <Link to="/my-data" data-first className={buttonClass()}>
      <Trans>Keep my account</Trans>
    </Link>
  );
  return (
    <Alert tone="warning" title={<Trans>Your account will be deleted on {day}</Trans>} action={act}>
      <Trans>You can watch until then. We won’t charge you, and you can’t buy anything.</Trans>
    </Alert>
  );
}

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

interface ReadState {
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

/** How long a saved copy waits for the parts above or between, in milliseconds: offline they may fail late. */
const copyWaitMs = 1500;

/**
 * Whether a page can be shown: its data is there, and the parts above or between are no longer loading for the first
 * time, because without them it would move under a finger. A copy of an earlier visit waits for a moment only.
 */
export function useIsComplete(
  { data, dataUpdatedAt }: { readonly data: unknown; readonly dataUpdatedAt: number },
  parts: readonly { readonly isLoading: boolean }[],
): boolean {
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), copyWaitMs);
    return () => clearTimeout(timer);
  }, []);
  const isComplete = !parts.some(({ isLoading }) => isLoading) || (hasWaited && mayBeSavedCopy(dataUpdatedAt));
  return useWasEverTrue(data !== undefined && isComplete);
}

/** Whether the response is from this visit and without error. Entries may have been added since an older one. */
export const isConfirmedEmpty = (read: ReadState): boolean => emptyListState(read) === 'empty';

/** Whether `is` was true in any rendering so far: shown content stays, with its focus, if a later read fails. */
export function useWasEverTrue(is: boolean): boolean {
  const [has, setHas] = useState(is);
  if (is && !has) setHas(true);
  return is || has;
}

/** Shows a list as empty only after a fresh response. */
export function ConfirmedEmptyList({ error, readAt, onRetry, asking, children }: WhenKnownProps) {
  if (error) return <LoadFailed error={error} onRetry={onRetry} />;
  return emptyListState({ error, readAt }) === 'asking' ? asking : children;
}
