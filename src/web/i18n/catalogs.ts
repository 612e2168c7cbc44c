import type { Messages } from '@lingui/core';
import type { Language } from '../../contract/fields.ts';

/**
 * [Note: Words by part] The words of public pages come with the first page. Those of the customer's own pages, of
 * what stands behind the login form, and of the error codes are fetched when they are needed (lingui.config.ts says which sources are in which part).
 */
export type Part = 'public' | 'customer' | 'identity' | 'errors';

type Load = () => Promise<{ messages: Messages }>;

/** One chunk for each language and part. */
const catalogs: Readonly<Record<Part, Readonly<Record<Language, Load>>>> = {
  public: {
    en: () => import('../../../locales/en.po'),
    pt: () => import('../../../locales/pt.po'),
    es: () => import('../../../locales/es.po'),
    ru: () => import('../../../locales/ru.po'),
  },
  customer: {
    en: () => import('../../../locales/customer/en.po'),
    pt: () => import('../../../locales/customer/pt.po'),
    es: () => import('../../../locales/customer/es.po'),
    ru: () => import('../../../locales/customer/ru.po'),
  },
  identity: {
    en: () => import('../../../locales/identity/en.po'),
    pt: () => import('../../../locales/identity/pt.po'),
    es: () => import('../../../locales/identity/es.po'),
    ru: () => import('../../../locales/identity/ru.po'),
  },
  errors: {
    en: () => import('../../../locales/errors/en.po'),
    pt: () => import('../../../locales/errors/pt.po'),
    es: () => import('../../../locales/errors/es.po'),
    ru: () => import('../../../locales/errors/ru.po'),
  },
};

/** The parts in use: a change of the language brings all of them. */
const used = new Set<Part>(['public']);

/** The words of every part in use. */
export async function loadCatalog(language: Language): Promise<Messages> {
  const parts = await Promise.all([...used].map((part) => catalogs[part][language]()));
  return Object.assign({}, ...parts.map(({ messages }) => messages)) as Messages; // spreading loses the type
}

type Listener = (messages: Messages) => void;
let target: { language: () => Language; add: Listener } | undefined;

/** Says where further words go: the page's words, under what the brand says its own way. */
export function receiveWords(language: () => Language, add: Listener): void {
  target = { language, add };
}

const waiting = new Map<Part, Promise<void>>();

/** Resolves when the words of the part are there. A lost network leaves them for the next who asks. */
export function ensureWords(part: Part): Promise<void> {
  if (used.has(part)) return Promise.resolve();
  const known = waiting.get(part) ?? fetchWords(part);
  waiting.set(part, known);
  return known;
}

async function fetchWords(part: Part): Promise<void> {
  try {
    if (!target) return;
    const language = target.language();
    const { messages } = await catalogs[part][language]();
    used.add(part);
    // Changed while it was on its way: the new language brings the part by itself, but only from now on.
    if (target.language() === language) target.add(messages);
    else target.add((await catalogs[part][target.language()]()).messages);
  } catch (error) {
    console.info(`The words of the part ${part} did not arrive.`, error);
  } finally {
    waiting.delete(part);
  }
}
