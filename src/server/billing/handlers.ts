import * as contract from '#contract/billing.ts';
import * as coupons from '#contract/coupons.ts';
import * as ordersContract from '#contract/orders.ts';
import * as receipts from '#contract/receipts.ts';
import { currencyList } from '#contract/plan.ts';
import { bind, type Handler } from '#server/runtime/request/request-context.ts';
import { handleCancelOrder } from './cancel-unpaid-order.ts';
import { handleOrder, handleOrders, handleService } from './orders.ts';
import { handleAddCoupon, handleListCoupons } from './own-coupons.ts';
import { handlePay } from './pay.ts';
import { handleCurrencyList, handlePaymentMethods } from './payment-methods.ts';
import { handlePaymentInfo, handlePaymentTip, handleQueryToken } from './payment-state.ts';
import { paymentStepHandlers } from './payment-steps.ts';
import { handleQueryCart } from './quote.ts';
import {
  handleMailReceipt,
  handleReceiptFile,
  handleReceiptParties,
  handleReceipts,
  handleOrderRemind,
} from './receipts.ts';
import { handleRepay } from './repay.ts';
import { handleUnbindCoupon } from './give-coupon.ts';
import { uploadHandlers } from './uploads.ts';
import { handleGoodsValuation, handleInstallmentsPlan } from './valuation.ts';
import { handleWithdrawOrder } from './withdraw-order.ts';
import * as handover from '#contract/handover.ts';
import { closeHandover, handoverProgress, openHandover, takeHandover } from './handover/handover-calls.ts';
import * as cards from '#contract/cards.ts';
import * as payer from '#contract/payer.ts';
import type { deleteCard } from '#contract/cards.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { isRenewalCard } from './subscriptions/lock-renewal.ts';
import { forgetPayer, ownPayer } from './cards/payer.ts';
import { scheduleCardRemoval } from './cards/save-card.ts';
import { ownCards, ownedCard } from './cards/own-cards.ts';

export const billingHandlers = {
  paymentMethods: bind(contract.paymentMethods, handlePaymentMethods),
  goodsValuation: bind(contract.goodsValuation, handleGoodsValuation),
  installmentsPlan: bind(contract.installmentsPlan, handleInstallmentsPlan),
  currencyList: bind(currencyList, handleCurrencyList, { cached: true }),
  pay: bind(contract.pay, handlePay),
  repay: bind(contract.repay, handleRepay),
  orders: bind(ordersContract.orders, handleOrders),
  order: bind(ordersContract.order, handleOrder),
  service: bind(ordersContract.service, handleService),
  paymentTip: bind(ordersContract.paymentTip, handlePaymentTip),
  queryToken: bind(ordersContract.queryToken, handleQueryToken),
  paymentInfo: bind(ordersContract.paymentInfo, handlePaymentInfo),
  queryCart: bind(ordersContract.queryCart, handleQueryCart),
  orderRemind: bind(ordersContract.orderRemind, handleOrderRemind),
  cancelOrder: bind(ordersContract.cancelOrder, handleCancelOrder),
  withdrawOrder: bind(ordersContract.withdrawOrder, handleWithdrawOrder),
  unbindDiscountCode: bind(ordersContract.unbindDiscountCode, handleUnbindCoupon),
  listCoupons: bind(coupons.listCoupons, handleListCoupons),
  addCoupon: bind(coupons.addCoupon, handleAddCoupon),
  receipts: bind(receipts.receipts, handleReceipts),
  mailReceipt: bind(receipts.mailReceipt, handleMailReceipt),
  receiptParties: bind(receipts.receiptParties, handleReceiptParties),
  receiptFile: bind(receipts.receiptFile, handleReceiptFile),
  ...paymentStepHandlers,
  ...uploadHandlers,
};

/** The endpoints that hand over a checkout from a TV to a phone. */
export const handoverHandlers = {
  openHandover: bind(handover.openHandover, openHandover),
  handoverProgress: bind(handover.handoverProgress, handoverProgress),
  closeHandover: bind(handover.closeHandover, closeHandover),
  takeHandover: bind(handover.takeHandover, takeHandover),
};

/**
 * Removes a card at its gateway first, because a token that is deleted here could not be removed there later.
 * `deleteCardFailed`: the gateway cannot be reached; the card stays in the list, and the customer can delete it again.
 * If the gateway is not installed any more, its removal is scheduled, and the card is deleted.
 */
const handleDeleteCard: Handler<typeof deleteCard> = async ({ body }, context) => {
  const { db, gateways, clock } = context.deps;
  const [row] = await db.select().from(savedCards).where(ownedCard(context, body.cardId)).limit(1);
  if (!row) return context.refuse('savedCardNotFound');
  if (await isRenewalCard(db, context.user, row.cardId)) return context.refuse('cardRenews');
  const gateway = gatewayOf(gateways, row.gateway);
  if (gateway && !(await gateway.removeStoredCard?.(row.token))) return context.refuse('deleteCardFailed');
  await db.transaction(async (tx) => {
    if (!gateway) await scheduleCardRemoval(tx, [{ gateway: row.gateway, token: row.token }], clock());
    await tx.delete(savedCards).where(ownedCard(context, body.cardId));
  });
  return {};
};

export const cardHandlers = {
  listCard: bind(cards.listCard, (_, context) => ownCards(context)),
  deleteCard: bind(cards.deleteCard, handleDeleteCard),
  ownPayer: bind(payer.ownPayer, ownPayer),
  forgetPayer: bind(payer.forgetPayer, forgetPayer),
};
