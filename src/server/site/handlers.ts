import { banner, dynamicConfig } from '#contract/documents.ts';
import * as plans from '#contract/plan.ts';
import * as contract from '#contract/site.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { currenciesOf } from '#server/payments/chargeable.ts';
import { areaCodesIn } from './account-rules.ts';
import { periodsOf, assertCanBuy, planStatusFor, periodIfPaid } from './periods.ts';
import {
  detailedPlan,
  discountsOf,
  requireKnownPlan,
  requirePlanForSale,
  priceOf,
  shownPlan,
  listPaymentMethods,
} from './plan.ts';
import { localize, documentForBrand } from './documents.ts';
import { report } from '#contract/analytics.ts';
import { recordEvents } from './analytics.ts';
import { createHash } from 'node:crypto';
import type { CompiledBrandMessages } from '#contract/brand-messages.ts';
import type { FunctionConfig, SiteConfig } from '#contract/brand.ts';
import type { Language } from '#contract/fields.ts';
import type { BrandState } from '#contract/page.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { appOf } from '#server/brand/folder/default-rules.ts';
import { compileForBrowser } from '#server/brand/i18n.ts';
import { rulesForBrowsers } from '#server/brand/phone-rules.ts';

const cached = { cached: true };

/** The endpoints under /api/site. Most need the catalogue only. */
export const siteHandlers = {
  theme: bind(
    contract.theme,
    (_, { brand: { name, themeColor, tenantId } }) => ({ name, themeColor, tenantId }),
    cached,
  ),
  siteConfig: bind(contract.siteConfig, (_, { brand }) => siteConfigOf(brand), cached),
  functionConfig: bind(contract.functionConfig, (_, { brand }) => functionConfigOf(brand), cached),
  cloud: bind(contract.cloud, async (_, { brand, language, refuse, deps, user }) => {
    const { storageGb, link, texts } = brand.cloud ?? refuse('pageNotFound');
    const usedBytes = await deps.cloudUsage?.(brand.code, user.uid);
    return {
      storageGb,
      ...(usedBytes !== undefined && { usedBytes }),
      link: link ?? null,
      paragraphs: localize(texts, language, brand) ?? [],
    };
  }),
  i18nVersion: bind(contract.i18nVersion, (_, { brand }) => ({ version: wordingVersion(brand) }), cached),
  i18nMessage: bind(
    contract.i18nMessage,
    ({ query }, { brand }) => ({ ...brandMessagesOf(brand, query.language) }),
    cached,
  ),
  langAddress: bind(
    contract.langAddress,
    () => ({ path: contract.i18nMessage.path, functionPath: contract.functionConfig.path }),
    cached,
  ),
  getCountryCode: bind(contract.getCountryCode, (_, { country }) => ({ countryCode: country })),
  areaCodes: bind(contract.areaCodes, (_, { language }) => areaCodesIn(language), cached),
  dynamicConfig: bind(
    dynamicConfig,
    ({ query: { type, code } }, context) => {
      const { brand } = context;
      const { documents, config } = brand;
      const own = documents.get(`${type} ${code}`);
      const document = own ?? documents.get(`${type} ${config.defaultLang}`) ?? context.refuse('pageNotFound');
      const payable = brand.methods.filter((method) => currenciesOf(context, method).length > 0);
      return documentForBrand(brand, payable, document, own ? code : config.defaultLang);
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
    banner,
    ({ query }, { brand, language }) =>
      brand.banners.map(({ id, texts, link }) => ({
        id,
        text: localize(texts, query.language ?? language, brand) ?? '',
        ...(link !== null && { link }),
      })),
    cached,
  ),
  listPlans: bind(
    plans.listPlans,
    async ({ query }, context) => {
      const { brand, deps, user } = context;
      const currency = query.currency ?? brand.config.payment.defaultCurrency;
      const periods = query.mine && user ? await periodsOf(deps.db, user, deps.clock()) : undefined;
      const plans = brand.plans.flatMap((plan) => {
        const shown = shownPlan(context, plan, currency, query.language);
        const marks = periods && planStatusFor(plan, periods);
        return shown ? [{ ...shown, ...marks }] : [];
      });
      const leaving = query.mine && user ? { leavesAt: user.leavesAt } : {};
      return { plans, final: user !== null, ...leaving, methods: listPaymentMethods(context, query.language) };
    },
    cached,
  ),
  planDetail: bind(
    plans.planDetail,
    ({ params, query }, context) => {
      const { brand } = context;
      return detailedPlan(
        context.refuse,
        context,
        requireKnownPlan(context.refuse, brand, params.id),
        brand.config.payment.defaultCurrency,
        query.llanguage,
      );
    },
    cached,
  ),
  planMethodDiscount: bind(
    plans.planMethodDiscount,
    ({ query }, context) => {
      const { brand, language } = context;
      requireKnownPlan(context.refuse, brand, query.planId);
      return discountsOf(context, brand.config.payment.defaultCurrency, language);
    },
    cached,
  ),
  planConvert: bind(plans.planConvert, ({ query, body }, { brand, refuse }) => ({
    planId: query.planId,
    price: priceOf(brand, requireKnownPlan(refuse, brand, query.planId), body.currency) ?? refuse('rateUnsupported'),
  })),
  checkPlanAvailable: bind(plans.checkPlanAvailable, async ({ body }, { brand, user, deps, refuse }) => {
    const plan = requirePlanForSale(refuse, brand, body.planId);
    const now = deps.clock();
    assertCanBuy(refuse, user, plan, await periodsOf(deps.db, user, now));
    const { from: startsAt, until: expiryAfter } = periodIfPaid(user, plan, now);
    return { planId: plan.id, startsAt, expiryAfter };
  }),
  report: bind(report, recordEvents),
};

/** Changes whenever the brand's own messages do. */
function wordingVersion(brand: Brand): string {
  return createHash('sha256').update(JSON.stringify(brand.wordings)).digest('hex').slice(0, 12);
}

/** The configuration for browsers, with patterns that are safe to run there. */
export function siteConfigOf({ config: stored, cloud }: Brand): SiteConfig {
  const { app: _, ...config } = stored;
  const app = appOf(stored);
  const validRules = rulesForBrowsers(config.validRules);
  return { ...config, validRules, ...(app && { app }), ...(cloud && { cloud: true }) };
}

/** Images come with the storefront until a brand has its own. */
function functionConfigOf(brand: Brand): FunctionConfig {
  const own = [...(brand.pictures?.keys() ?? [])];
  const named = (name: string) => own.find((path) => path.slice(path.lastIndexOf('/') + 1).split('.')[0] === name);
  const [avatar, logo, pcBackground, mobileBackground, share] = [
    named('avatar') ?? own.find((path) => path.endsWith('/icon.svg')),
    named('wordmark'),
    named('background'),
    named('mobile-background'),
    named('share'),
  ];
  const imgConfig = {
    ...(pcBackground !== undefined && { pcBackground }),
    ...(mobileBackground !== undefined && { mobileBackground }),
    ...(logo !== undefined && { logo }),
    ...(avatar !== undefined && { avatar }),
    ...(share !== undefined && { share }),
  };
  return { imgConfig, webConfig: { brand: brand.name, defaultLang: brand.config.defaultLang } };
}

/** The brand's own messages by ID; without one the storefront's applies. */
function brandMessagesOf({ wordings }: Brand, language: Language): CompiledBrandMessages {
  const own = wordings[language];
  return own ? compileForBrowser(own) : {};
}

/** What every page knows about its brand before it fetches anything (`contract/page.ts`). */
export function brandState(brand: Brand, language: Language, countryCode: string): BrandState {
  const { name, themeColor, tenantId } = brand;
  return {
    theme: { name, themeColor, tenantId },
    siteConfig: siteConfigOf(brand),
    functionConfig: functionConfigOf(brand),
    messages: brandMessagesOf(brand, language),
    countryCode,
  };
}
