import { msg, plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { Button } from '#web/ui/button.tsx';
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

/** Sends an email about an order and shows where it went, or when another can be sent. */
export function OrderMailButton({ endpoint, orderId, className, children }: OrderMailButtonProps) {
  const [sentTo, setSentTo] = useState<string>();
  const { mutate, isPending, problem } = useApiMutation(endpoint, {
    onSuccess: (sent) => setSentTo(sent.sentTo),
    message: tooOften,
    shows: 'all',
  });
  return (
    <>
      <Button variant="quiet" busy={isPending} onClick={() => mutate({ body: { orderId } })}>
        <Mail aria-hidden />
        <span>{children}</span>
        <span className="sr-only">{orderId}</span>
      </Button>
      <p className={className} role="status">
        {problem ?? (sentTo === undefined ? null : <Trans>An e-mail is on its way to {sentTo}.</Trans>)}
      </p>
    </>
  );
}

/** The time until another email, if the server sent it; undefined uses the catalogue. */
function tooOften(error: CallError): LocalizedMessage | undefined {
  const { waitSeconds } = error.params;
  if (!error.is('tooFrequent') || !waitSeconds) return undefined;
  const minutes = Math.ceil(waitSeconds / 60);
  const inMinutes = msg`We have just sent you an e-mail. ${plural(minutes, {
    one: 'You can have another one in # minute.',
    other: 'You can have another one in # minutes.',
  })}`;
  const hours = Math.ceil(minutes / 60);
  const inHours = msg`We have already sent you e-mails. ${plural(hours, {
    one: 'You can have another one in # hour.',
    other: 'You can have another one in # hours.',
  })}`;
  return (i18n) => i18n._(minutes > 90 ? inHours : inMinutes);
}
