import * as contract from '../../contract/billing.ts';
import * as ordersContract from '../../contract/orders.ts';
import { bind } from '../mount.ts';
import { handleGoodsValuation } from './goods-valuation.ts';
import { handleInstallmentsPlan } from './installments-plan.ts';
import { handleOrder, handleOrders, handleService } from './orders.ts';
import { handleOrderRemind } from './order-remind.ts';
import { handlePay } from './pay.ts';
import { handleCurrencyList, handlePaymentMethods } from './payment-methods.ts';
import { handlePaymentInfo, handlePaymentTip, handleQueryToken } from './payment-state.ts';
import { paymentStepHandlers } from './payment-steps.ts';
import { handleQueryCart } from './query-cart.ts';
import { handleRepay } from './repay.ts';
import { handleUnbindDiscountCode } from './unbind-discount-code.ts';
import { uploadHandlers } from './uploads.ts';

export const billingHandlers = {
  paymentMethods: bind(contract.paymentMethods, handlePaymentMethods),
  goodsValuation: bind(contract.goodsValuation, handleGoodsValuation),
  installmentsPlan: bind(contract.installmentsPlan, handleInstallmentsPlan),
  currencyList: bind(contract.currencyList, handleCurrencyList, { cached: true }),
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
  unbindDiscountCode: bind(ordersContract.unbindDiscountCode, handleUnbindDiscountCode),
  ...paymentStepHandlers,
  ...uploadHandlers,
};
