import * as contract from '../../contract/billing.ts';
import { bind } from '../mount.ts';
import { handleGoodsValuation } from './goods-valuation.ts';
import { handleInstallmentsPlan } from './installments-plan.ts';
import { handleOrder, handleOrders, handleService } from './orders.ts';
import { handlePay } from './pay.ts';
import { handleCurrencyList, handlePaymentMethods } from './payment-methods.ts';
import { handlePaymentInfo, handlePaymentTip, handleQueryToken } from './payment-state.ts';
import { handleRepay } from './repay.ts';

export const billingHandlers = {
  paymentMethods: bind(contract.paymentMethods, handlePaymentMethods),
  goodsValuation: bind(contract.goodsValuation, handleGoodsValuation),
  installmentsPlan: bind(contract.installmentsPlan, handleInstallmentsPlan),
  currencyList: bind(contract.currencyList, handleCurrencyList, { cached: true }),
  pay: bind(contract.pay, handlePay),
  repay: bind(contract.repay, handleRepay),
  orders: bind(contract.orders, handleOrders),
  order: bind(contract.order, handleOrder),
  service: bind(contract.service, handleService),
  paymentTip: bind(contract.paymentTip, handlePaymentTip),
  queryToken: bind(contract.queryToken, handleQueryToken),
  paymentInfo: bind(contract.paymentInfo, handlePaymentInfo),
};
