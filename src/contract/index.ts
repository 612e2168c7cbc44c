/** Every call of the storefront's API, by name. */
export { queryInfo } from './account.ts';
export { countdownConfig, login, loginOut, signup } from './auth.ts';
export {
  currencyList,
  goodsValuation,
  installmentsPlan,
  order,
  orders,
  pay,
  paymentInfo,
  paymentMethods,
  paymentTip,
  queryToken,
  repay,
  service,
} from './billing.ts';
export {
  areaCodes,
  banner,
  checkPlanAvailable,
  dynamicConfig,
  functionConfig,
  getCountryCode,
  i18nMessage,
  i18nVersion,
  langAddress,
  listPlans,
  planConvert,
  planDetail,
  planMethodDiscount,
  report,
  siteConfig,
  theme,
} from './site.ts';
