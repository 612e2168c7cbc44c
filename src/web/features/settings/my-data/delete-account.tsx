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
        <Trans>You see what is lost before anything happens, and have a week to change your mind.</Trans>
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
        <Trans>What is lost</Trans>
      </h3>
      <DeletedData state={state} />
      <h3 className={styles.small}>
        <Trans>What is kept</Trans>
      </h3>
      <p>
        <Plural
          value={keptYears}
          one="Orders and payments, for # year, because tax law wants them. Your name, address and number are not among them any more."
          other="Orders and payments, for # years, because tax law wants them. Your name, address and number are not among them any more."
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
          In a week. Until then you can log in, watch, and keep your account by one tap. You cannot buy anything, and
          nothing is charged.
        </Trans>
      </p>
      {charging ? (
        <p>
          <Trans>
            One payment of your renewal is at your bank now and cannot be stopped. If it comes through, its days are
            yours for as long as you keep the account; after it nothing is charged.
          </Trans>
        </p>
      ) : null}
      {email === null ? null : (
        <p>
          <Trans>We write to {email} now, and once more when it is done.</Trans>
        </p>
      )}
    </>
  );
}

function DeletedData({ state: { expiredTime, renews, cards, passkeys, boxes, openOrders } }: { state: State }) {
  const days = daysRemaining(expiredTime, serverNow());
  const { t } = useLingui();
  const lines: Readonly<Record<string, ReactNode>> = {
    login: t`Your login, your login history and everything in your account. Coupons that were for you alone.`,
    days: days > 0 && (
      <Plural
        value={days}
        one="# day of access that you have paid for"
        other="# days of access that you have paid for"
      />
    ),
    renews: renews && t`Your renewal, which ends at once`,
    cards: cards > 0 && (
      <Plural
        value={cards}
        one="# saved card, also at the payment provider"
        other="# saved cards, also at the payment provider"
      />
    ),
    passkeys: passkeys > 0 && <Plural value={passkeys} one="# passkey" other="# passkeys" />,
    boxes: boxes > 0 && <Plural value={boxes} one="# TV that is logged in" other="# TVs that are logged in" />,
    openOrders: openOrders > 0 && (
      <Plural
        value={openOrders}
        one="# order that is not paid yet; money that comes after the week is refunded"
        other="# orders that are not paid yet; money that comes after the week is refunded"
      />
    ),
  };
  return (
    <ul className={styles.lost}>
      {Object.entries(lines).map(([name, words]) => (words ? <li key={name}>{words}</li> : null))}
    </ul>
  );
}
