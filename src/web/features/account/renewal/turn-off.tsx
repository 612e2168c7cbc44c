import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { updateRenewStatus, type RenewalInfo } from '#contract/renewal.ts';
import { DateText } from '#web/domain/payments/period-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Select } from '#web/ui/select.tsx';
import { useRenewalOptions, successResult, type RenewalDialogProps, type ActionResult } from './renewal-action.ts';
import { dayText } from '#web/platform/i18n/day-text.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

const reasons = {
  price: msg`Too expensive`,
  unused: msg`I don’t use it enough`,
  quality: msg`It doesn’t work well for me`,
  switching: msg`I’m switching to another service`,
  other: msg`Something else`,
} as const;
type Reason = keyof typeof reasons;

const isReason = (text: string): text is Reason => Object.hasOwn(reasons, text);

/** Confirms turning the renewal off: shows until when the access runs, and offers an optional reason. */
export function TurnOff({ info, open, ...rest }: RenewalDialogProps) {
  const [reason, setReason] = useState<Reason>();
  const { mutate, isPending, problem } = useApiMutation(updateRenewStatus, useRenewalOptions(rest, turnedOff));
  return (
    <Dialog
      open={open}
      onClose={rest.onClose}
      title={<Trans>Turn off automatic renewal?</Trans>}
      actions={
        <>
          <Button
            variant="danger"
            busy={isPending}
            onClick={() => mutate({ body: { status: 'off', ...(reason && { reason }) } })}
          >
            <Trans>Turn off renewal</Trans>
          </Button>
          <Button variant="secondary" onClick={rest.onClose}>
            <Trans>Keep it on</Trans>
          </Button>
        </>
      }
    >
      <p>
        <AccessUntil info={info} />
        <span> </span>
        <Trans>Turning it off is free, and you won’t be charged again.</Trans>
      </p>
      <ReasonSelect reason={reason} onChange={setReason} />
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

/** Paid time stays; days of grace, while a charge is retried, do not. */
function AccessUntil({ info: { endsAt } }: Pick<RenewalDialogProps, 'info'>) {
  if (endsAt === null) return null;
  if (endsAt <= serverNow()) return <Trans>The time you paid for has ended, so your access ends right away.</Trans>;
  return (
    <Trans>
      You keep access until <DateText at={endsAt} />.
    </Trans>
  );
}

function ReasonSelect({
  reason,
  onChange,
}: {
  reason: Reason | undefined;
  onChange: (reason: Reason | undefined) => void;
}) {
  const { t, i18n } = useLingui();
  return (
    <Select
      label={t`Why? (optional)`}
      name="reason"
      value={reason ?? ''}
      onChange={({ target }) => onChange(isReason(target.value) ? target.value : undefined)}
    >
      <option value="">{t`I’d rather not say`}</option>
      {Object.entries(reasons).map(([value, words]) => (
        <option key={value} value={value}>
          {i18n._(words)}
        </option>
      ))}
    </Select>
  );
}

const turnedOff = ({ endsAt }: RenewalInfo): ActionResult =>
  successResult((i18n) => {
    if (endsAt === null || endsAt <= serverNow())
      return i18n._(msg`Automatic renewal is off. You won’t be charged again.`);
    const date = dayText(i18n, endsAt);
    return i18n._(msg`Automatic renewal is off. You keep access until ${date}.`);
  });
