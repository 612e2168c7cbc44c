import * as v from 'valibot';
import type { Language } from '../contract/fields.ts';
import * as site from '../contract/site.ts';
import { savedAtHeader, siteDataCache } from '../contract/worker.ts';
import { art } from './art.ts';
import { artCache } from './cache-names.ts';
import { siteData } from './site-data.ts';

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
  `${site.listPlans.path}?language=${language}`,
  site.theme.path,
  site.siteConfig.path,
  site.langAddress.path,
  site.i18nVersion.path,
  `${site.i18nMessage.path}?language=${language}`,
  ...site.dynamicConfig.query.entries.type.options.map(
    (type) => `${site.dynamicConfig.path}?type=${type}&code=${language}`,
  ),
];

async function freshCopy(address: string): Promise<Response | undefined> {
  const cache = await caches.open(siteDataCache);
  const copy = await cache.match(address, { ignoreVary: true });
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
  const list = v.safeParse(planListSchema, await keep(`${site.listPlans.path}?language=${language}`, language, event));
  for (const plan of list.success ? list.output.data.plans : []) {
    await keep(`${site.planDetail.path.replace('{id}', plan.id)}?llanguage=${language}`, language, event);
  }
}

async function keepPictures(language: Language, event: ExtendableEvent): Promise<void> {
  const theme = v.safeParse(themeSchema, await keep(site.theme.path, language, event));
  const config = v.safeParse(functionConfigSchema, await keep(site.functionConfig.path, language, event));
  const icon = theme.success ? [`/icons/${theme.output.data.tenantId}/favicon.svg`] : [];
  const pictures = config.success ? Object.values(config.output.data.imgConfig) : [];
  for (const picture of [...icon, ...pictures]) {
    const kept = await caches.match(picture, { cacheName: artCache });
    if (!kept) await art.handle({ event, request: new Request(picture) });
  }
}

/**
 * [Note: Copies for later] Pages arrive with their data inside, so a visitor who only reads never makes a call that
 * could be kept. When the page is idle it asks for copies in its language; they are fetched one after the other, so
 * that the person's own requests go first. What fails now is fetched the next time.
 */
export async function keepForLater(language: Language, event: ExtendableEvent): Promise<void> {
  try {
    for (const address of addresses(language)) await keep(address, language, event);
    await keepPlans(language, event);
    await keepPictures(language, event);
  } catch (error) {
    // workbox's name for "neither network nor copy": nothing to keep now; any other fault must be seen
    if (!(error instanceof Error) || error.name !== 'no-response') throw error;
  }
}
