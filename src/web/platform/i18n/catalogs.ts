import type { Messages } from '@lingui/core';
import type { Language } from '#contract/fields.ts';

/**
 * [Note: Words by part] The messages of public pages come with the first page. All others are fetched when they are needed
 * (`lingui.config.ts` names the public sources).
 */
export type Part = 'public' | 'private';

interface Catalogue {
  readonly messages: Messages;
}

/** One chunk for each language and part: a new language comes with its files. The server's own words are not among them. */
const catalogues = import.meta.glob<Catalogue>(['../../../../locales/*.po', '../../../../locales/private/*.po']);

async function fetchCatalogue(part: Part, language: Language): Promise<Messages> {
  const load = catalogues[`../../../../locales/${part === 'public' ? '' : `${part}/`}${language}.po`];
  if (!load) throw new Error(`No ${part} in ${language}`);
  return (await load()).messages;
}

/** The parts in use: a change of the language brings all of them. */
const used = new Set<Part>(['public']);
const waiting = new Map<Part, Promise<void>>();

/** The words of every part in use, or on its way, by the time that `others` are there, too. */
export async function loadCatalog(language: Language, others?: Promise<unknown>): Promise<Messages> {
  const loaded = new Map<Part, Messages>();
  const missing = () => [...used, ...waiting.keys()].filter((part) => !loaded.has(part));
  const add = async (part: Part) => loaded.set(part, await fetchCatalogue(part, language));
  do await Promise.all([others, ...missing().map(add)]);
  while (missing().length > 0);
  return Object.assign({}, ...loaded.values()) as Messages; // spreading loses the type
}

type Listener = (messages: Messages) => void;
let target: { language: () => Language; add: Listener } | undefined;
let targetIsThere: () => void;
/** A part of a page may ask for its words while the page has none yet. */
const untilTarget = new Promise<void>((resolve) => (targetIsThere = resolve));

/** Says where further words go: the page's words, under what the brand says its own way. */
export function subscribeToMessages(language: () => Language, add: Listener): void {
  target = { language, add };
  targetIsThere();
}

/** Resolves when the words of the part are there. A lost network leaves them for the next who asks. */
export function ensureWords(part: Part): Promise<void> {
  if (used.has(part)) return Promise.resolve();
  const known = waiting.get(part) ?? fetchWords(part);
  waiting.set(part, known);
  return known;
}

/** Whether the words of the part are there. */
export const hasWords = (part: Part): boolean => used.has(part);

/** What `loading` brings, and the words of the part with it. */
export async function withWords<T>(part: Part, loading: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([loading, ensureWords(part)]);
  return loaded;
}

async function fetchWords(part: Part): Promise<void> {
  try {
    if (!import.meta.env.SSR) await untilTarget;
    if (!target) return;
    const language = target.language();
    const messages = await fetchCatalogue(part, language);
    used.add(part);
    // Changed while it was on its way: the new language brings the part by itself, but only from now on.
    if (target.language() === language) target.add(messages);
    else target.add(await fetchCatalogue(part, target.language()));
  } catch (error) {
    console.info(`No words of ${part}`, error);
  } finally {
    waiting.delete(part);
  }
}
