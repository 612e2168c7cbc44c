import * as endpoints from '#contract/index.ts';
import type { Language } from '#contract/fields.ts';
import type { Plan } from '#contract/plan.ts';
import type { SiteConfig } from '#contract/brand.ts';
import type { Backend } from './backend.ts';
import { refusedWith } from './probes.ts';

/** What the further journeys need to know about the brand. */
export interface Brand {
  readonly config: SiteConfig;
  readonly plans: readonly Plan[];
}

/** A visitor reads everything that is public. Undefined if the brand or its plans cannot be read. */
export async function browse(backend: Backend): Promise<Brand | undefined> {
  const { call, book } = backend;
  await call(endpoints.theme, {});
  const config = await call(endpoints.siteConfig, {});
  if (!config.ok) return undefined;
  const { langs, defaultLang } = config.data;
  book.note('siteConfig', 'journey', !langs.includes(defaultLang) && `langs lacks defaultLang, ${defaultLang}`);
  const listed = await call(endpoints.listPlans, { query: { language: defaultLang } });
  if (!listed.ok) return undefined;
  const { plans } = listed.data;
  book.note('listPlans', 'journey', plans.length === 0 && 'there is no plan, so nothing can be tried');
  for (const plan of plans.slice(0, 20)) await readPlan(backend, plan, langs);
  await readDocuments(backend, langs);
  const language = defaultLang;
  const unknown = await call(endpoints.planDetail, { params: { id: '9999999' }, query: { llanguage: language } });
  book.note('planDetail', 'errors', refusedWith('pageNotFound', unknown, 'for a plan that does not exist'));
  const missing = await call(endpoints.listPlans, { query: {} as { language: Language } }); // as: the input is wrong on purpose
  book.note('listPlans', 'input', refusedWith('invalidRequest', missing, 'without the language'));
  return { config: config.data, plans };
}

async function readPlan({ call, book }: Backend, plan: Plan, langs: readonly Language[]): Promise<void> {
  for (const llanguage of langs) {
    const { ok, data } = await call(endpoints.planDetail, { params: { id: plan.id }, query: { llanguage } });
    if (!ok) {
      book.note('planDetail', 'journey', `plan ${plan.id} of the list cannot be read in ${llanguage}`);
      continue;
    }
    book.note('planDetail', 'journey', data.id !== plan.id && `plan ${plan.id} answers as ${data.id}`);
    const same = data.price.amount === plan.price.amount && data.price.currency === plan.price.currency;
    book.note('planDetail', 'money', !same && `plan ${plan.id} has another price than in the list`);
    book.note('planDetail', 'journey', data.days !== plan.days && `plan ${plan.id} has other days than in the list`);
  }
  const { listPrice, price } = plan;
  const isReduced = !listPrice || (listPrice.currency === price.currency && listPrice.amount > price.amount);
  book.note('listPlans', 'money', !isReduced && `the list price of plan ${plan.id} is not above its price`);
}

async function readDocuments({ call, book }: Backend, langs: readonly Language[]): Promise<void> {
  for (const name of ['terms', 'privacy', 'help'] as const) {
    for (const language of langs) {
      const { ok, data } = await call(endpoints.dynamicConfig, { query: { type: name, code: language } });
      book.note('dynamicConfig', 'journey', !ok && `there is no ${name} in ${language}`);
      book.note('dynamicConfig', 'journey', data?.sections.length === 0 && `${name} is empty in ${language}`);
    }
  }
}
