import type { changeCard } from '../../contract/renewal.ts';
import { isCardExpired } from '../../contract/card.ts';
import { ownedCard } from '../cards/own-cards.ts';
import { savedCards } from '../db/schema/cards.ts';
import { assertMayTryCard } from '../billing/payment-limits.ts';
import { refuse } from '../request/api-error.ts';
import type { Handler } from '../request/bind.ts';
import type { CustomerContext } from '../request/request-context.ts';
import { change, holdRenewal, type CardRow, type Held } from '../subscriptions/hold.ts';
import { confirmChoice } from './confirm-choice.ts';
import { keepNewCard } from './keep-new-card.ts';
import { renewalInfo, standingOf } from './renewal-info.ts';
import { offerBy } from './update-status.ts';
import { workOff } from './work-off.ts';

/** A renewal that is past due is charged by the new card at once, so that the answer tells how it went. */
export const handleChangeCard: Handler<typeof changeCard> = async ({ body }, context) => {
  const { deps, user } = context;
  if (user.leavesAt !== null) refuse(4599);
  const { row } = await standingOf(context);
  if (!row) refuse(6201);
  const cardId = 'cardId' in body ? body.cardId : await keepNewCard(context, body, row.currency);
  // a card that is refused can be tried again at once, so it is limited as a payment is
  const tried = row.status === 'pastDue' ? await assertMayTryCard(context, { cardId }) : undefined;
  const isPastDue = await deps.db.transaction(async (tx) => {
    const held = (await holdRenewal(tx, user, deps)) ?? refuse(6201);
    mayChange(held);
    const [card] = await tx.select().from(savedCards).where(ownedCard(context, cardId)).for('key share');
    if (!card) refuse(1020);
    await take(context, held, card, (columns) => change(tx, held, deps.clock(), columns));
    // the charge that follows at once has its own receipt
    if (held.row.status === 'on' && held.row.cardId !== cardId) await confirmChoice(tx, user, deps, 'card');
    return held.row.status === 'pastDue';
  });
  if (isPastDue) await workOff(deps, user);
  const info = await renewalInfo(context);
  await tried?.close(info.status === 'pastDue' ? 'declined' : 'open');
  return info;
};

function mayChange({ row }: Held): void {
  if (row.status === 'renewing') refuse(6207);
  if (row.status === 'ended') refuse(6202);
}

type Columns = Parameters<typeof change>[3];

async function take(
  context: CustomerContext,
  { row }: Held,
  card: CardRow,
  write: (columns: Columns) => Promise<void>,
): Promise<void> {
  const now = context.deps.clock();
  if (isCardExpired({ month: card.expiryMonth, year: card.expiryYear }, now)) refuse(2002, { declineCode: 309 });
  const offer = offerBy(context, { ...row, card });
  if (row.status !== 'off' && !offer) refuse(-2502);
  const dueNow = row.status === 'pastDue' ? { nextChargeAt: now, dueAt: now } : {};
  await write({ cardId: card.cardId, methodCode: card.methodCode, cardTold: false, ...dueNow });
}
