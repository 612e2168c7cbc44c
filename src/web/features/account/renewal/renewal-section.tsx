import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CardPurpose } from '#contract/cards.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { renewalLabels, DateText } from '#web/domain/payments/period-text.tsx';
import { isRefused } from '#web/platform/api/api-error.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useStore } from '#web/ui/store.ts';
import account from '../account.module.css';
import { useLinkedHere } from '../use-focus-after-removal.ts';
import { useCardPageReturn } from './card-page.tsx';
import { cardChangeRequested, successResult, type ActionResult } from './renewal-action.ts';
import { RenewalFacts, RenewalHistory } from './renewal-facts.tsx';
import { RenewalNotices } from './renewal-notices.tsx';
import styles from './renewal.module.css';
import { msg } from '@lingui/core/macro';
import { useCancelDeletion } from '#web/domain/account/use-cancel-deletion.ts';
import { Problem } from '#web/ui/problem.tsx';
import { renewalQuery } from '#web/domain/payments/use-renewal.ts';

/** Polling interval while a charge is in progress, in milliseconds. */
const refreshMs = 15_000;

const watched = {
  ...renewalQuery,
  refetchInterval: ({ state }: { state: { data: RenewalInfo | undefined } }) =>
    state.data?.status === 'renewing' ? refreshMs : (false as const),
};

/** Whether the plan renews, with which card, when and for how much, and the actions. */
export function RenewalSection({ hasPlan, leavesAt }: { hasPlan: boolean; leavesAt: number | null }) {
  // a customer who never had a plan has nothing to renew, so the request is skipped
  const { data, error, isPending } = useQuery({ ...watched, enabled: hasPlan });
  const none = isRefused(error, 'renewalNotFound');
  if (data && !none) return <Renewal info={data} leavesAt={leavesAt} />;
  if (!hasPlan || !isPending) return null;
  return (
    <Card className={`${account.wide} ${styles.waiting}`} aria-busy>
      <Skeleton lines={5} height={40} />
    </Card>
  );
}

/** The dialogs are loaded after the rest of the page. */
async function loadDialogs() {
  const [{ TurnOff }, { TurnOn }, { ChangeCard }] = await Promise.all([
    import('./turn-off.tsx'),
    import('./turn-on.tsx'),
    import('./change-card.tsx'),
  ]);
  return { TurnOff, TurnOn, ChangeCard };
}

export type Act = 'off' | 'on' | 'card';

function Renewal({ info, leavesAt }: { info: RenewalInfo; leavesAt: number | null }) {
  const { i18n } = useLingui();
  const [said, setSaid] = useState<ActionResult>();
  const { acts, open, added, begin, end } = useDialogs(setSaid);
  const heading = useFocusWhenLost(info.status);
  useLinkedHere(heading);
  const { label, tone } = renewalLabels[info.status];
  const props = { info, added, onClose: end, onSaid: setSaid };
  return (
    <Card as="section" aria-labelledby="renewal" className={account.wide}>
      <div className={styles.head}>
        <h2 className={styles.title} id="renewal" ref={heading} tabIndex={-1}>
          <Trans>Automatic renewal</Trans>
        </h2>
        <Pill tone={tone}>{i18n._(label)}</Pill>
      </div>
      <div className={styles.section}>
        <RenewalNotices info={info} leaves={leavesAt !== null} onAct={begin} onResult={setSaid} />
        <RenewalFacts info={info} />
        {said && (said.whileStatus ?? info.status) === info.status ? (
          <Alert tone={said.tone} live="assertive">
            {said.words(i18n)}
          </Alert>
        ) : null}
        <Buttons info={info} leavesAt={leavesAt} onAct={begin} onSaid={setSaid} />
        <RenewalHistory history={info.history} />
      </div>
      {acts ? (
        <>
          <acts.TurnOff {...props} open={open === 'off'} />
          <acts.TurnOn {...props} open={open === 'on'} />
          <acts.ChangeCard {...props} open={open === 'card'} />
        </>
      ) : null}
    </Card>
  );
}

/**
 * The open dialog. A tap before its code is loaded waits for it; after a return from the card page the dialog opens
 * again.
 */
function useDialogs(onResult: (said?: ActionResult) => void) {
  const [acts, want] = useLazyModule(loadDialogs);
  const [open, setOpen] = useState<Act>();
  const [added, setAdded] = useState<string>();
  const asked = useStore(cardChangeRequested, false);
  useEffect(() => void want(), [want]);
  const begin = async (act: Act) => {
    onResult(undefined);
    if (await want()) setOpen(act);
  };
  const end = () => {
    cardChangeRequested.set(false);
    setOpen(undefined);
  };
  const onCardSaved = (purpose: CardPurpose, cardId: string) => {
    setAdded(cardId);
    void begin(purpose === 'turnOn' ? 'on' : 'card');
  };
  useCardPageReturn({ onCardSaved, onResult });
  return { acts, open: asked ? 'card' : open, added, begin: (act: Act) => void begin(act), end };
}

interface ButtonsProps {
  info: RenewalInfo;
  /** when the account is deleted: the renewal can be turned off, and nothing else */
  leavesAt: number | null;
  onAct: (act: Act) => void;
  onSaid: (said: ActionResult) => void;
}

/**
 * The available actions, one button each, so that none takes over the focus of another. None while a charge is in
 * progress.
 */
function Buttons({ info, leavesAt, onAct, onSaid }: ButtonsProps) {
  // a TV session, or a phone that was handed a checkout, cannot start charges; it may stop them
  const buysOnly = useSession()?.buysOnly === true;
  const { status, offered, card } = info;
  if (status === 'renewing' || status === 'ended') return null;
  if (status === 'off' && leavesAt !== null) return <RenewalDuringDeletion at={leavesAt} onSaid={onSaid} />;
  if (status === 'off') {
    if (!offered || buysOnly) return null;
    return (
      <div className={styles.actions}>
        <Button key="on" onClick={() => onAct('on')}>
          <Trans>Turn on</Trans>
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.actions}>
      {buysOnly || leavesAt !== null ? null : (
        <Button key="card" variant="secondary" onClick={() => onAct('card')}>
          {card?.account !== undefined ? (
            <Trans>Change payment method</Trans>
          ) : card ? (
            <Trans>Change card</Trans>
          ) : (
            <Trans>Choose payment method</Trans>
          )}
        </Button>
      )}
      <Button variant="quiet" onClick={() => onAct('off')}>
        <Trans>Turn off</Trans>
      </Button>
    </div>
  );
}

/** Restores the focus if the tapped button was removed. */
function useFocusWhenLost(status: string) {
  const ref = useRef<HTMLHeadingElement>(null);
  const before = useRef(status);
  useEffect(() => {
    const moved = before.current !== status;
    before.current = status;
    if (moved && document.activeElement === document.body) ref.current?.focus();
  }, [status]);
  return ref;
}

interface LeavingRenewalProps {
  /** when the account is deleted; epoch milliseconds */
  at: number;
  onSaid: (said: ActionResult) => void;
}

/** Replaces the switch: while the account is to be deleted, the shop refuses to turn the renewal on. */
function RenewalDuringDeletion({ at, onSaid }: LeavingRenewalProps) {
  const buysOnly = useSession()?.buysOnly === true;
  const kept = () =>
    onSaid(successResult((i18n) => i18n._(msg`We won’t delete your account. Automatic renewal stays off.`)));
  const { mutate, isPending, problem } = useCancelDeletion(kept);
  const day = <DateText at={at} />;
  return (
    <>
      <p>
        <Trans>You can’t turn on automatic renewal, because your account will be deleted on {day}.</Trans>
      </p>
      <Problem>{problem}</Problem>
      {buysOnly ? null : (
        <div className={styles.actions}>
          <Button variant="secondary" busy={isPending} onClick={mutate}>
            <Trans>Keep my account</Trans>
          </Button>
        </div>
      )}
    </>
  );
}
