import * as cards from '#contract/cards.ts';
import * as contract from '#contract/renewal.ts';
import { findMailLink, type MailLink, refuseToken } from '#server/auth/mail-links.ts';
import type { Database } from '#server/db/connect.ts';
import { bind, type Handler, type RequestContext } from '#server/runtime/request/request-context.ts';
import { planName } from '#server/site/plan.ts';
import { lockRenewal, type LockedRenewal } from '#server/billing/subscriptions/lock-renewal.ts';
import { findRenewalOffer, periodPrice } from '#server/billing/subscriptions/renewal-rules.ts';
import { handleOpenCardPage, handleTakeCard } from './save-new-card.ts';
import { handleChangeCard } from './change-card.ts';
import { renewalInfo } from './renewal-info.ts';
import { handleUpdateRenewStatus, stopRenewal } from './update-status.ts';

type LinkBody = Parameters<Handler<typeof contract.renewalByLink>>[0]['body'];

/** The link of a renewal email. It can be opened any number of times until it expires. */
function linkOf({ deps, brand }: RequestContext, { token }: LinkBody): Promise<MailLink | undefined> {
  return findMailLink(deps.db, { brand: brand.code, token, purpose: 'renewal' }, deps.clock());
}

/** Runs `use` with the locked renewal of a link. `use` must not refuse (`refuseToken`). */
async function byLink<T>(
  context: RequestContext<'linkGone' | 'tooFrequent'>,
  body: LinkBody,
  use: (tx: Database, held: LockedRenewal) => Promise<T> | T,
): Promise<T> {
  const { deps } = context;
  const link = await linkOf(context, body);
  const found =
    link &&
    (await deps.db.transaction(async (tx) => {
      const held = await lockRenewal(tx, link, deps);
      return held && { used: await use(tx, held) };
    }));
  return found ? found.used : refuseToken(context);
}

/** Contains no customer data: anyone with the email sees only the plan, the price and the days. */
const handleRenewalByLink: Handler<typeof contract.renewalByLink> = ({ body }, context) =>
  byLink(context, body, (_, { row, brand }) => ({
    status: row.status,
    terms: {
      planId: row.planId,
      planName: planName(brand, row.planId, context.language) ?? row.planId,
      price: {
        amount: periodPrice(row, findRenewalOffer({ brand, deps: context.deps }, row)?.price),
        currency: row.currency,
      },
      days: row.days,
      nextChargeAt: row.nextChargeAt ?? row.paidUntil,
    },
    endsAt: row.paidUntil,
  }));

const handleStopRenewalByLink: Handler<typeof contract.stopRenewalByLink> = ({ body }, context) =>
  byLink(context, body, async (tx, held) => {
    await stopRenewal(context.refuse, tx, context.deps, held);
    return { endsAt: held.row.paidUntil };
  });

/** The endpoints of automatic renewal. */
export const renewalHandlers = {
  renewInfo: bind(contract.renewInfo, (_, context) => renewalInfo(context)),
  updateRenewStatus: bind(contract.updateRenewStatus, handleUpdateRenewStatus),
  changeCard: bind(contract.changeCard, handleChangeCard),
  openCardPage: bind(cards.openCardPage, handleOpenCardPage),
  takeCard: bind(cards.takeCard, handleTakeCard),
  renewalByLink: bind(contract.renewalByLink, handleRenewalByLink),
  stopRenewalByLink: bind(contract.stopRenewalByLink, handleStopRenewalByLink),
};
