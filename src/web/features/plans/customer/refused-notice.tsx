import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { errorNameOf } from '#contract/error-codes.ts';
import { type Plan, planDetail } from '#contract/plan.ts';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Alert } from '#web/ui/alert.tsx';
import { dayText } from '#web/platform/i18n/day-text.ts';

interface RefusedNoticeProps {
  errCode: number;
  planId: string | undefined;
  plans: readonly Plan[];
}

/** Why the wanted plan was not sold, with its name, and when it is available. */
export function RefusedNotice({ errCode, planId, plans }: RefusedNoticeProps) {
  const { i18n } = useLingui();
  const known = plans.find(({ id }) => id === planId);
  // a plan that is no longer sold is not in the list
  const asked = { params: { id: planId ?? '' }, query: { llanguage: useLanguage() } };
  const { data } = useQuery({ ...q(planDetail, asked, { quiet: true }), enabled: planId !== undefined && !known });
  const name = (known ?? data)?.name;
  const from = known?.refusal?.availableFrom;
  const day = from === undefined ? undefined : dayText(i18n, from);
  if (errorNameOf(errCode) === 'planUnavailable') {
    return (
      <Alert
        tone="warning"
        title={name ? <Trans>{name} is no longer sold</Trans> : <Trans>This plan is no longer sold</Trans>}
      >
        <Trans>Nothing was charged. Here are the plans you can buy today.</Trans>
      </Alert>
    );
  }
  const title = name ? (
    <Trans>You cannot buy {name} right now</Trans>
  ) : (
    <Trans>You cannot buy this plan right now</Trans>
  );
  return (
    <Alert tone="warning" title={title}>
      <Trans>While your plan for several devices is active, you can’t start a plan for one device.</Trans>
      <span> </span>
      {day === undefined ? null : (
        <span data-private>
          <Trans>You can buy it from {day}.</Trans>
        </span>
      )}
    </Alert>
  );
}
