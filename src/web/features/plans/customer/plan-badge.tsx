import { Trans, useLingui } from '@lingui/react/macro';
import { errorNameOf } from '#contract/error-codes.ts';
import type { Plan } from '#contract/plan.ts';
import { Check, Clock } from '#web/ui/icon.tsx';
import { Pill } from '#web/ui/pill.tsx';
import lines from '../plan-lines.module.css';
import { dayText } from '#web/platform/i18n/day-text.ts';

interface PlanMarkProps {
  plan: Pick<Plan, 'refusal' | 'yours'>;
  /** a word beside its name, the full reason, or only the day where many plans are listed */
  as: 'pill' | 'reason' | 'day';
}

/** The plan's state for the customer: it is their current plan, or cannot be bought now. */
export function PlanBadgeText({ plan: { refusal, yours }, as }: PlanMarkProps) {
  if (as === 'pill') return yours ? <YourPlan /> : null;
  if (!refusal) return null;
  if (as === 'day') return <Day from={refusal.availableFrom} />;
  return (
    <p className={lines.wait} data-private>
      <Clock aria-hidden />
      <span>
        <Reason {...refusal} />
      </span>
    </p>
  );
}

function YourPlan() {
  return (
    <Pill tone="neutral">
      <Check aria-hidden />
      <Trans>Your plan</Trans>
    </Pill>
  );
}

function Day({ from }: { from: number | undefined }) {
  const { i18n } = useLingui();
  if (from === undefined) return <Trans>Not now</Trans>;
  const day = dayText(i18n, from, 'medium');
  return (
    <span data-private>
      <Trans>From {day}</Trans>
    </span>
  );
}

function Reason({ errCode, availableFrom }: NonNullable<Plan['refusal']>) {
  const { i18n } = useLingui();
  if (errorNameOf(errCode) === 'planUnavailable') return <Trans>This plan is no longer sold.</Trans>;
  if (availableFrom === undefined) return <Trans>You cannot buy this plan right now.</Trans>;
  const day = dayText(i18n, availableFrom);
  return <Trans>Available from {day}, when your plan for several devices ends.</Trans>;
}
