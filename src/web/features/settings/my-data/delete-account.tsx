import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { accountErrorMessage } from '#web/domain/auth/account-rules.ts';
import { codeErrorMessage } from '#web/domain/auth/codes/use-code.ts';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { daysRemaining } from '#contract/account.ts';
import type { Result } from '#contract/endpoint.ts';
import { requestDeletion, type deletionState } from '#contract/my-data.ts';
import { ConfirmHere } from '#web/domain/auth/lazy-confirm-owner.tsx';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { updateSessionUser } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { UserX } from '#web/ui/icon.tsx';
import styles from './my-data.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type State = Result<typeof deletionState>;

interface DeleteProps {
  state: State;
  /** it replaced the button that had the focus */
  moved: boolean;
  onMove: () => void;
}

/** Explains what is deleted and what is retained, then confirms the owner. */
export function DeleteAccount({ state, moved, onMove }: DeleteProps) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (open || moved) heading.current?.focus();
  }, [open, moved]);
  const deletion = useApiMutation(requestDeletion, {
    onSuccess: async ({ leavesAt }) => {
      updateSessionUser({ leavesAt });
      onMove();
      // home and account show it, too
      await refreshQueries(client, personalQueries);
    },
    message: (error) => codeErrorMessage(error) ?? accountErrorMessage(error),
  });
  const request = async (confirmation: string) => (await deletion.send({ body: { confirmation } })).refusal;
  return (
    <Card as="section" aria-labelledby="delete-account">
      <h2 className={styles.heading} id="delete-account" ref={heading} tabIndex={-1}>
        <Trans>Delete my account</Trans>
      </h2>
      {open ? (
        <>
          <Facts state={state} />
          <div className={styles.confirm}>
            <ConfirmHere
              purpose="deletion"
              danger
              label={<Trans>Delete my account</Trans>}
              onConfirmed={request}
              onCancel={() => setOpen(false)}
            />
          </div>
        </>
      ) : (
        <OpenButton onOpen={() => setOpen(true)} />
      )}
    </Card>
  );
}

function OpenButton({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <p className={styles.soft}>
        <Trans>You’ll see what you’ll lose before anything happens, and have a week to change your mind.</Trans>
      </p>
      <div>
        <Button variant="secondary" onClick={onOpen}>
          <UserX aria-hidden />
          <Trans>Delete my account…</Trans>
        </Button>
      </div>
    </>
  );
}

function Facts({ state }: { state: State }) {
  const { keptYears } = state;
  return (
    <div className={styles.facts}>
      <h3 className={styles.small}>
        <Trans>What you’ll lose</Trans>
      </h3>
      <DeletedData state={state} />
      <h3 className={styles.small}>
        <Trans>What we keep</Trans>
      </h3>
      <p>
        <Plural
          value={keptYears}
          one="Orders and payments, for # year, as tax law requires. Your name, address and number are removed from them."
          other="Orders and payments, for # years, as tax law requires. Your name, address and number are removed from them."
        />
      </p>
      <DeletionDate state={state} />
    </div>
  );
}

function DeletionDate({ state: { email, charging } }: { state: State }) {
  return (
    <>
      <h3 className={styles.small}>
        <Trans>When</Trans>
      </h3>
      <p>
        <Trans>
          In a week. Until then you can log in, watch and keep your account with one tap. You can’t buy anything, and
          you won’t be charged.
        </Trans>
      </p>
      {charging ? (
        <p>
          <Trans>
            A renewal payment is with your bank and can’t be stopped. If it goes through, you can use the days it pays
            for as long as you keep the account. After that, nothing is charged.
          </Trans>
        </p>
      ) : null}
      {email === null ? null : (
        <p>
          <Trans>We’ll email {email} now, and again when it’s done.</Trans>
        </p>
      )}
    </>
  );
}

function DeletedData({ state: { expiredTime, renews, cards, passkeys, boxes, openOrders } }: { state: State }) {
  const days = daysRemaining(expiredTime, serverNow());
  const { t } = useLingui();
  const lines: Readonly<Record<string, ReactNode>> = {
    login: t`Your login, login history and everything in your account, including coupons that were only for you.`,
    days: days > 0 && (
      <Plural value={days} one="# day of access you’ve paid for" other="# days of access you’ve paid for" />
    ),
    renews: renews && t`Automatic renewal, which ends right away`,
    cards: cards > 0 && (
      <Plural
        value={cards}
        one="# saved card, including at our payment provider"
        other="# saved cards, including at our payment provider"
      />
    ),
    passkeys: passkeys > 0 && <Plural value={passkeys} one="# passkey" other="# passkeys" />,
    boxes: boxes > 0 && <Plural value={boxes} one="# TV you’re logged in on" other="# TVs you’re logged in on" />,
    openOrders: openOrders > 0 && (
      <Plural
        value={openOrders}
        one="# unpaid order; money that arrives after the week is refunded"
        other="# unpaid orders; money that arrives after the week is refunded"
      />
    ),
  };
  return (
    <ul className={styles.lost}>
      {Object.entries(lines).map(([name, words]) => (words ? <li key={name}>{words}</li> : null))}
    </ul>
  );
}
