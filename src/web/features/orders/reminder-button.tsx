import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { orderRemind } from '../../../contract/orders.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useTap } from '../../form/use-tap.ts';
import type { Words } from '../../form/words.ts';
import { wordsOf } from '../../i18n/error-words.ts';
import { Button } from '../../ui/button.tsx';
import { Mail } from '../../ui/icon.tsx';
import { tooOften } from './reminder-words.ts';
import styles from './unfinished-orders.module.css';

/** Sends what is needed to pay by mail, for who wants to pay on another device or later. */
export function ReminderButton({ orderId }: { orderId: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const { tap, busy, problem } = useTap(async (): Promise<Words | undefined> => {
    try {
      const sent = await call(orderRemind, { body: { orderId } }, { quiet: true });
      setSentTo(sent.sentTo);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return tooOften(error) ?? ((i18n) => wordsOf(i18n, error));
    }
  });
  return (
    <>
      <Button variant="quiet" busy={busy} onClick={tap}>
        <Mail aria-hidden />
        <Trans>Send me a reminder</Trans>
        <span className="sr-only">{orderId}</span>
      </Button>
      <p className={styles.said} role="status">
        {problem ?? (sentTo === undefined ? null : <Trans>A mail is on its way to {sentTo}.</Trans>)}
      </p>
    </>
  );
}
