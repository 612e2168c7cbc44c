import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { orderRemind } from '#contract/orders.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Mail } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';

/** Sends the customer what is needed to pay later, or from another device. */
export function MailButton({ orderId }: { orderId: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const { tap, busy, problem } = useTap(async () => {
    setSentTo(undefined);
    try {
      const sent = await call(orderRemind, { body: { orderId } }, { quiet: true });
      setSentTo(sent.sentTo);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return wordsOfMail(error);
    }
  });
  return (
    <>
      <Button variant="secondary" wide busy={busy} onClick={tap}>
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

/** Refused for an order that waits: the account has no address. */
function wordsOfMail(error: ApiError): Words {
  if (error.is('operationUnsupported')) return say(msg`We have no e-mail address of yours to send it to.`);
  return (i18n: I18n) => wordsOf(i18n, error);
}
