import * as v from 'valibot';
import { addressOf } from '#contract/endpoint.ts';
import type { Language } from '#contract/fields.ts';
import * as site from '#contract/site.ts';
import { savedAtHeader, siteDataCache } from '#contract/worker.ts';
import { art } from './art.ts';
import { artCache } from './cache-names.ts';
import { siteData } from './site-data.ts';
import { withinLimit } from './store-limits.ts';

/** A copy younger than this is not fetched again, in milliseconds. */
const freshMs = 60 * 60 * 1000;

const planListSchema = v.object({ data: site.listPlans.result });
const themeSchema = v.object({ data: site.theme.result });
const functionConfigSchema = v.object({ data: site.functionConfig.result });

/**
 * Addresses exactly as the storefront asks for them, because a copy is found by its address. The plan list comes
 * first: of everything that is kept, it is what a person without network most likely wants.
 */
const addresses = (language: Language): readonly string[] => [
  addressOf(site.listPlans, { query: { language } }),
  addressOf(site.theme),
  addressOf(site.siteConfig),
  addressOf(site.langAddress),
  addressOf(site.i18nVersion),
  addressOf(site.i18nMessage, { query: { language } }),
  ...site.dynamicConfig.query.entries.type.options.map((type) =>
    addressOf(site.dynamicConfig, { query: { type, code: language } }),
  ),
];

async function freshCopy(address: string): Promise<Response | undefined> {
  const copy = await withinLimit(() => caches.match(address, { cacheName: siteDataCache, ignoreVary: true }));
  const age = Date.now() - Number(copy?.headers.get(savedAtHeader) ?? 0);
  return age < freshMs ? copy : undefined;
}

async function keep(address: string, language: Language, event: ExtendableEvent): Promise<unknown> {
  const request = new Request(address, { headers: { Authorization: 'null', Language: language } });
  const response = (await freshCopy(address)) ?? (await siteData.handle({ event, request }));
  // a body that is no JSON is not an answer of ours: nothing follows from it
  return response.json().catch(() => undefined);
}

async function keepPlans(language: Language, event: ExtendableEvent): Promise<void> {
  const address = addressOf(site.listPlans, { query: { language } });
  const list = v.safeParse(planListSchema, await keep(address, language, event));
  for (const plan of list.success ? list.output.data.plans : []) {
    const detail = addressOf(site.planDetail, { params: { id: plan.id }, query: { llanguage: language } });
    await keep(detail, language, event);
  }
}

async function keepPictures(language: Language, event: ExtendableEvent): Promise<void> {
  const theme = v.safeParse(themeSchema, await keep(addressOf(site.theme), language, event));
  const config = v.safeParse(functionConfigSchema, await keep(addressOf(site.functionConfig), language, event));
  const icon = theme.success ? [`/icons/${theme.output.data.tenantId}/favicon.svg`] : [];
  const pictures = config.success ? Object.values(config.output.data.imgConfig) : [];
  for (const picture of [...icon, ...pictures]) {
    const kept = await withinLimit(() => caches.match(picture, { cacheName: artCache }));
    if (!kept) await art.handle({ event, request: new Request(picture) });
  }
}

/**
 * [Note: Copies for later] Pages arrive with their data inside, so a visitor who only reads never makes a call that
 * could be kept. When the page is idle it asks for copies in its language; they are fetched one after the other, so
 * that the person's own requests go first. What fails now is fetched the next time.
 */
export async function precacheForOffline(language: Language, event: ExtendableEvent): Promise<void> {
  try {
    for (const address of addresses(language)) await keep(address, language, event);
    await keepPlans(language, event);
    await keepPictures(language, event);
  } catch (error) {
    // workbox's name for "neither network nor copy": nothing to keep now; any other fault must be seen
    if (!(error instanceof Error) || error.name !== 'no-response') throw error;
  }
}
