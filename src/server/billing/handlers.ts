import * as contract from '#contract/billing.ts';
import * as coupons from '#contract/coupons.ts';
import * as ordersContract from '#contract/orders.ts';
import * as receipts from '#contract/receipts.ts';
import { currencyList } from '#contract/site.ts';
import { bind } from '#server/runtime/request/request-context.ts';
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
