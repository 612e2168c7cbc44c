import * as contract from '../../contract/site.ts';
import { refuse } from '../api-error.ts';
import { bind } from '../mount.ts';
import { currenciesOf } from '../payments/chargeable.ts';
import { areaCodesIn } from './area-codes.ts';
import { assertMayBuy, endIfPaid } from './availability.ts';
import { functionConfigOf, wordingVersion, wordsOf } from './brand-state.ts';
import { detailedPlan, discountsOf, planForSale, planOf, priceOf, shownPlan } from './plans.ts';
import { recordEvents } from './report.ts';
import { shownDocument } from './shown-document.ts';
import { inLanguage } from './words.ts';

const cached = { cached: true };

/** The calls under /api/site. Most follow from the catalogue alone. */
export const siteHandlers = {
  theme: bind(
    contract.theme,
    (_, { brand: { name, themeColor, tenantId } }) => ({ name, themeColor, tenantId }),
    cached,
  ),
  siteConfig: bind(contract.siteConfig, (_, { brand }) => brand.config, cached),
  functionConfig: bind(contract.functionConfig, (_, { brand }) => functionConfigOf(brand), cached),
  i18nVersion: bind(contract.i18nVersion, (_, { brand }) => ({ version: wordingVersion(brand) }), cached),
  i18nMessage: bind(contract.i18nMessage, ({ query }, { brand }) => ({ ...wordsOf(brand, query.language) }), cached),
  langAddress: bind(
    contract.langAddress,
    () => ({ path: contract.i18nMessage.path, functionPath: contract.functionConfig.path }),
    cached,
  ),
  getCountryCode: bind(contract.getCountryCode, (_, { country }) => ({ countryCode: country })),
  areaCodes: bind(contract.areaCodes, (_, { language }) => areaCodesIn(language), cached),
  dynamicConfig: bind(
    contract.dynamicConfig,
    ({ query: { type, code } }, context) => {
      const { brand } = context;
      const { documents, config } = brand;
      const own = documents.get(`${type} ${code}`);
      const document = own ?? documents.get(`${type} ${config.defaultLang}`) ?? refuse(6001);
      const payable = brand.methods.filter((method) => currenciesOf(context, method).length > 0);
      return shownDocument(brand, payable, document, own ? code : config.defaultLang);
    },
    cached,
  ),
  contactUs: bind(
    contract.contactUs,
    (_, { brand: { config } }) => ({
      ...(config.helpShowEmail !== undefined && { email: config.helpShowEmail }),
      ...(config.helpPhone !== undefined && { phone: config.helpPhone }),
      ...(config.chatLink !== undefined && { chatLink: config.chatLink }),
    }),
    cached,
  ),
  banner: bind(
    contract.banner,
    ({ query }, { brand, language }) =>
      brand.banners.map(({ id, texts, link }) => ({
        id,
        text: inLanguage(texts, query.language ?? language, brand) ?? '',
        ...(link !== null && { link }),
      })),
    cached,
  ),
  listPlans: bind(
    contract.listPlans,
    ({ query }, context) => {
      const { brand, user } = context;
      const currency = query.currency ?? brand.config.payment.defaultCurrency;
      const plans = brand.plans.map((plan) => shownPlan(context, plan, currency, query.language));
      return { plans: plans.filter((plan) => plan !== undefined), final: user !== null };
    },
    cached,
  ),
  planDetail: bind(
    contract.planDetail,
    ({ params, query }, context) => {
      const { brand } = context;
      return detailedPlan(context, planOf(brand, params.id), brand.config.payment.defaultCurrency, query.llanguage);
    },
    cached,
  ),
  planMethodDiscount: bind(
    contract.planMethodDiscount,
    ({ query }, context) => {
      const { brand, language } = context;
      planOf(brand, query.planId);
      return discountsOf(context, brand.config.payment.defaultCurrency, language);
    },
    cached,
  ),
  planConvert: bind(contract.planConvert, ({ query, body }, { brand }) => ({
    planId: query.planId,
    price: priceOf(brand, planOf(brand, query.planId), body.currency) ?? refuse(1030),
  })),
  checkPlanAvailable: bind(contract.checkPlanAvailable, ({ body }, { brand, user, deps }) => {
    const plan = planForSale(brand, body.planId);
    const now = deps.clock();
    assertMayBuy(user, plan, now);
    return { planId: plan.id, expiryAfter: endIfPaid(user, plan, now) };
  }),
  report: bind(contract.report, ({ body }, context) => recordEvents(body.events, context)),
};
