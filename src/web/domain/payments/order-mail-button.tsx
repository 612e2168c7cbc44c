import { msg, plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { useState, type ReactNode } from 'react';
import { ownSettings } from '#contract/settings.ts';
import type { UserInfo } from '#contract/user.ts';
import { orderNumber } from '#contract/mask.ts';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Mail } from '#web/ui/icon.tsx';
import type { orderRemind } from '#contract/orders.ts';
import type { mailReceipt } from '#contract/receipts.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface OrderMailButtonProps {
  /** sends the email; returns the masked address */
  endpoint: typeof mailReceipt | typeof orderRemind;
  orderId: string;
  /** class of the message */
  className: string | undefined;
  children: ReactNode;
}

/**
 * Sends an email about an order and shows where it went, or when another can be sent. A customer without an email
 * address is offered to add one, and comes back here; a session that may not change the account is offered nothing.
 */
export function OrderMailButton(props: OrderMailButtonProps) {
  const user = useSession();
  const hasNoEmail = useHasNoEmail(user);
  const [isRefused, setRefused] = useState(false);
  if (!hasNoEmail && !isRefused) return <MailButton {...props} onNoEmail={() => setRefused(true)} />;
  return user?.buysOnly ? null : <AddEmail />;
}

/** Whether the account has no address, as far as is known; an account by email always has one. */
function useHasNoEmail(user: UserInfo | null): boolean {
  const { data } = useQuery({ ...q(ownSettings, { body: {} }, { quiet: true }), enabled: user?.type === 'phone' });
  return user?.type === 'phone' && data?.email === null;
}

/** Leads to the form of the settings, which leads back to this page. */
function AddEmail() {
  const back = useRouterState({ select: ({ location }) => location.href });
  return (
    <Link to="/settings" search={{ add: 'email', return: back }} className={buttonClass({ variant: 'quiet' })}>
      <Mail aria-hidden />
      <Trans>Add an email</Trans>
    </Link>
  );
}

interface MailButtonProps extends OrderMailButtonProps {
  /** the account has no address to send to */
  onNoEmail: () => void;
}

function MailButton({ endpoint, orderId, className, children, onNoEmail }: MailButtonProps) {
  const [sentTo, setSentTo] = useState<string>();
  const { mutate, isPending, problem } = useApiMutation(endpoint, {
    onSuccess: (sent) => setSentTo(sent.sentTo),
    onError: (error) => {
      if (error.is('operationUnsupported') && error.params.field === 'email') onNoEmail();
    },
    message: tooOften,
    shows: 'all',
  });
  return (
    <>
      <Button variant="quiet" busy={isPending} onClick={() => mutate({ body: { orderId } })}>
        <Mail aria-hidden />
        <span>{children}</span>
        <span className="sr-only">{orderNumber(orderId)}</span>
      </Button>
      <p className={className} role="status">
        {problem ?? (sentTo === undefined ? null : <Trans>We’ve emailed {sentTo}.</Trans>)}
      </p>
    </>
  );
}

/** The time until another email, if the server sent it; undefined uses the catalogue. */
function tooOften(error: CallError): LocalizedMessage | undefined {
  const { waitSeconds } = error.params;
  if (!error.is('tooFrequent') || !waitSeconds) return undefined;
  const minutes = Math.ceil(waitSeconds / 60);
  const inMinutes = msg`We’ve just emailed you. ${plural(minutes, { one: 'You can request another email in # minute.', other: 'You can request another email in # minutes.' })}`;
  const hours = Math.ceil(minutes / 60);
  const inHours = msg`We’ve already emailed you. ${plural(hours, { one: 'You can request another email in # hour.', other: 'You can request another email in # hours.' })}`;
  return (i18n) => i18n._(minutes > 90 ? inHours : inMinutes);
}
