import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { orderRemind } from '#contract/orders.ts';
import { say } from '#web/platform/form/words.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Mail } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** Emails the customer what is needed to pay later, or on another device. */
export function MailButton({ orderId }: { orderId: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const { mutate, isPending, problem } = useApiMutation(orderRemind, {
    onSuccess: (sent) => setSentTo(sent.sentTo),
    errors: { operationUnsupported: () => noAddress },
    shows: 'all',
  });
  const send = () => {
    setSentTo(undefined);
    mutate({ body: { orderId } });
  };
  return (
    <>
      <Button variant="secondary" wide busy={isPending} onClick={send}>
        <Mail aria-hidden />
        <Trans>E-mail me the payment details</Trans>
      </Button>
      {sentTo === undefined ? null : (
        <Alert tone="success" live="polite">
          <Trans>Sent to {sentTo}.</Trans>
        </Alert>
      )}
      <Problem>{problem}</Problem>
    </>
  );
}

/** The error for an unpaid order whose account has no email address. */
const noAddress = say(msg`We have no e-mail address of yours to send it to.`);
