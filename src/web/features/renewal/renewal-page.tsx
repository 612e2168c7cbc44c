import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useState, type ReactNode } from 'react';
import type { Result } from '#contract/endpoint.ts';
import { renewalByLink, renewInfo, stopRenewalByLink } from '#contract/renewal.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { DateText, RecurringPrice } from '#web/domain/payments/period-text.tsx';
import { isRefused, type CallError } from '#web/platform/api/api-error.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface RenewalPageProps {
  /** of the link; undefined if the page was opened without one */
  token: string | undefined;
}

/** /renewal: the target of an email link. Anyone with the link sees the renewal and may stop it; no login is needed. */
export function RenewalPage({ token }: RenewalPageProps) {
  return token ? <LinkedRenewal token={token} /> : <LinkGoneMessage />;
}

function LinkedRenewal({ token }: { token: string }) {
  const query = { ...q(renewalByLink, { body: { token } }, { quiet: true }), gcTime: 0 };
  const { data, error, refetch } = useQuery(query);
  const [stopped, setStopped] = useState<Result<typeof stopRenewalByLink>>();
  if (stopped) return <StoppedRenewal endsAt={stopped.endsAt} />;
  if (isRefused(error, 'linkGone')) return <LinkGoneMessage />;
  if (!data) return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <Loading />;
  const readAgain = () => void refetch();
  switch (data.status) {
    case 'off':
      return <StoppedRenewal endsAt={data.endsAt} already />;
    case 'ended':
      return <Ended />;
    default:
      return <RunningRenewal link={data} token={token} onStopped={setStopped} onMoved={readAgain} />;
  }
}

interface RunningProps {
  link: Result<typeof renewalByLink>;
  token: string;
  onStopped: (result: Result<typeof stopRenewalByLink>) => void;
  /** the renewal has changed since this page was loaded */
  onMoved: () => void;
}

/** The next charge, and the button that stops it. Opening the link changes nothing. */
function RunningRenewal({ link: { terms, endsAt, status }, token, onStopped, onMoved }: RunningProps) {
  const { mutate, isPending, problem } = useStop(onStopped, onMoved);
  const stop = (
    <Button variant="danger" size="lg" busy={isPending} onClick={() => mutate({ body: { token } })}>
      <Trans>Stop renewing</Trans>
    </Button>
  );
  return (
    <StatePage
      art={<StateArt kind="notice" />}
      title={<Trans>{terms.planName} renews automatically</Trans>}
      action={stop}
    >
      <p>
        <RecurringPrice price={terms.price} days={terms.days} />
        <span>{'. '}</span>
        {status === 'renewing' ? (
          <Trans>A payment is being made right now.</Trans>
        ) : (
          <Trans>
            The next payment is on <DateText at={terms.nextChargeAt} />.
          </Trans>
        )}
      </p>
      <AccessUntil endsAt={endsAt} />
      <Problem>{problem}</Problem>
    </StatePage>
  );
}

function AccessUntil({ endsAt }: { endsAt: number | null }) {
  if (endsAt === null) return null;
  return (
    <p>
      <Trans>
        If you stop it, you won’t be charged again, and you keep access until <DateText at={endsAt} />.
      </Trans>
    </p>
  );
}

function useStop(onStopped: RunningProps['onStopped'], onMoved: () => void) {
  const client = useQueryClient();
  // missing, ended, or stopped already: the page says so and removes the button
  const moved = (_error: CallError, message: LocalizedMessage) => {
    onMoved();
    return message;
  };
  return useApiMutation(stopRenewalByLink, {
    onSuccess: (result) => {
      void refreshQueries(client, { queryKey: q(renewInfo).queryKey });
      onStopped(result);
    },
    errors: {
      linkGone: moved,
      renewalExpired: moved,
      renewalCancelled: moved,
      renewalUnderWay: () => chargingNow,
    },
    shows: 'all',
  });
}

const chargingNow = localizedMessage(msg`A payment is being made right now. Try again in a few minutes.`);

function StoppedRenewal({ endsAt, already = false }: { endsAt: number | null; already?: boolean }) {
  const { t } = useLingui();
  return (
    <FocusedMessage>
      <StatePage
        art={<StateArt kind="succeeded" />}
        title={already ? t`Automatic renewal is off` : t`Automatic renewal is now off`}
        action={<AccountLink />}
      >
        <p>
          <Trans>You won’t be charged again.</Trans>
          <span> </span>
          {endsAt === null ? null : (
            <Trans>
              You keep access until <DateText at={endsAt} />.
            </Trans>
          )}
        </p>
      </StatePage>
    </FocusedMessage>
  );
}

function Ended() {
  return (
    <StatePage
      art={<StateArt kind="notice" />}
      title={<Trans>This plan has ended</Trans>}
      action={
        <Link to="/pricing-table" className={buttonClass({ size: 'lg' })}>
          <Trans>See plans</Trans>
        </Link>
      }
    >
      <p>
        <Trans>You won’t be charged again. To come back, choose a plan.</Trans>
      </p>
    </StatePage>
  );
}

function LinkGoneMessage() {
  return (
    <FocusedMessage>
      <StatePage
        art={<StateArt kind="failed" />}
        title={<Trans>This link is no longer available</Trans>}
        action={<AccountLink />}
      >
        <p>
          <Trans>
            A newer email may have a working link. You can always turn off automatic renewal in your account.
          </Trans>
        </p>
      </StatePage>
    </FocusedMessage>
  );
}

function AccountLink() {
  return (
    <Link to="/account" className={buttonClass({ size: 'lg', variant: 'secondary' })}>
      <Trans>Go to your account</Trans>
    </Link>
  );
}

function Loading() {
  return (
    <div aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton lines={4} height={40} />
    </div>
  );
}

/** Replaces the tapped button and takes its focus. */
function FocusedMessage({ children }: { children: ReactNode }) {
  return (
    <div ref={focusWhenLost} tabIndex={-1} role="status">
      {children}
    </div>
  );
}

function focusWhenLost(element: HTMLDivElement | null): void {
  if (document.hasFocus() && document.activeElement === document.body) element?.focus({ preventScroll: true });
}
