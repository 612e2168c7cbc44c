import * as v from 'valibot';
import { addressOf } from '#contract/endpoint.ts';
import type { Language } from '#contract/fields.ts';
import { dynamicConfig } from '#contract/documents.ts';
import { listPlans, planDetail } from '#contract/plan.ts';
import * as site from '#contract/site.ts';
import { savedAtHeader, siteDataCache } from '#contract/worker.ts';
import { pictureStrategy } from './pictures.ts';
import { artCache } from './cache-names.ts';
import { siteData } from './site-data.ts';
import { withinLimit } from './store-limits.ts';

/** A younger copy is not fetched again, in milliseconds. */
const freshMs = 60 * 60 * 1000;

const planListSchema = v.object({ data: listPlans.result });
const themeSchema = v.object({ data: site.theme.result });
const functionConfigSchema = v.object({ data: site.functionConfig.result });

/**
 * URLs exactly as the storefront requests them, because a copy is found by its URL. The plan list comes first: it is
 * the most useful data for a visitor without network.
 */
const addresses = (language: Language): readonly string[] => [
  addressOf(listPlans, { query: { language } }),
  addressOf(site.theme),
  addressOf(site.siteConfig),
  addressOf(site.langAddress),
  addressOf(site.i18nVersion),
  addressOf(site.i18nMessage, { query: { language } }),
  ...dynamicConfig.query.entries.type.options.map((type) =>
    addressOf(dynamicConfig, { query: { type, code: language } }),
  ),
];

async function freshCopy(address: string): Promise<Response | undefined> {
  const copy = await withinLimit(() => caches.match(address, { cacheName: siteDataCache, ignoreVary: true }));
  const age = Date.now() - Number(copy?.headers.get(savedAtHeader) ?? 0);
  return age < freshMs ? copy : undefined;
}

async function cacheAnswer(address: string, language: Language, event: ExtendableEvent): Promise<unknown> {
  const request = new Request(address, { headers: { Authorization: 'null', Language: language } });
  const response = (await freshCopy(address)) ?? (await siteData.handle({ event, request }));
  // a body that is not JSON is not from the API; it is skipped
  return response.json().catch(() => undefined);
}

async function cachePlans(language: Language, event: ExtendableEvent): Promise<void> {
  const address = addressOf(listPlans, { query: { language } });
  const list = v.safeParse(planListSchema, await cacheAnswer(address, language, event));
  for (const plan of list.success ? list.output.data.plans : []) {
    const detail = addressOf(planDetail, { params: { id: plan.id }, query: { llanguage: language } });
    await cacheAnswer(detail, language, event);
  }
}

async function cachePictures(language: Language, event: ExtendableEvent): Promise<void> {
  const theme = v.safeParse(themeSchema, await cacheAnswer(addressOf(site.theme), language, event));
  const config = v.safeParse(functionConfigSchema, await cacheAnswer(addressOf(site.functionConfig), language, event));
  const icon = theme.success ? [`/icons/${theme.output.data.tenantId}/favicon.svg`] : [];
  const pictures = config.success ? Object.values(config.output.data.imgConfig) : [];
  for (const picture of [...icon, ...pictures]) {
    const copy = await withinLimit(() => caches.match(picture, { cacheName: artCache }));
    if (!copy) await pictureStrategy.handle({ event, request: new Request(picture) });
  }
}

/**
 * Caches data for offline use. Server-rendered pages contain their data, so a visitor who only reads makes no call that
 * could be cached. An idle page requests copies in its language; they are fetched one after the other, so that the
 * visitor's own requests go first. Failed ones are fetched the next time.
 */
export async function precacheForOffline(language: Language, event: ExtendableEvent): Promise<void> {
  try {
    for (const address of addresses(language)) await cacheAnswer(address, language, event);
    await cachePlans(language, event);
    await cachePictures(language, event);
  } catch (error) {
    // workbox's error for "neither network nor copy": nothing to cache now; other errors are reported
    if (!(error instanceof Error) || error.name !== 'no-response') throw error;
  }
}
