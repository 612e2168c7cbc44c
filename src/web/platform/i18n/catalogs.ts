import type { Messages } from '@lingui/core';
import type { Language } from '#contract/fields.ts';

/**
 * The messages of public pages are loaded with the first page. All others are fetched when they are needed
 * (`lingui.config.ts` lists the public sources).
 */
export type Part = 'public' | 'private';

interface Catalogue {
  readonly messages: Messages;
}

/** One chunk for each language and part. The server's own messages are not included. */
const catalogues = import.meta.glob<Catalogue>(['../../../../locales/*.po', '../../../../locales/private/*.po']);

async function fetchCatalogue(part: Part, language: Language): Promise<Messages> {
  const load = catalogues[`../../../../locales/${part === 'public' ? '' : `${part}/`}${language}.po`];
  if (!load) throw new Error(`No ${part} in ${language}`);
  return (await load()).messages;
}

/** The parts in use: a change of the language loads all of them. */
const used = new Set<Part>(['public']);
const waiting = new Map<Part, Promise<void>>();

/** The messages of every part that is in use or loading at the time when `others` has resolved too. */
export async function loadCatalog(language: Language, others?: Promise<unknown>): Promise<Messages> {
  const loaded = new Map<Part, Messages>();
  const missing = () => [...used, ...waiting.keys()].filter((part) => !loaded.has(part));
  const add = async (part: Part) => loaded.set(part, await fetchCatalogue(part, language));
  do await Promise.all([others, ...missing().map(add)]);
  while (missing().length > 0);
  return Object.assign({}, ...loaded.values()) as Messages; // as: Object.assign loses the type
}

type Listener = (messages: Messages) => void;
let target: { language: () => Language; add: Listener } | undefined;
let targetIsThere: () => void;
/** A component may request its messages before the page has any. */
const untilTarget = new Promise<void>((resolve) => (targetIsThere = resolve));

/** Sets where further messages are added: below the brand's own messages. */
export function subscribeToMessages(language: () => Language, add: Listener): void {
  target = { language, add };
  targetIsThere();
}

/** Resolves when the messages of the part are loaded, or could not be; the next call tries again then. */
export function loadMessages(part: Part): Promise<void> {
  if (used.has(part)) return Promise.resolve();
  const known = waiting.get(part) ?? fetchMessages(part);
  waiting.set(part, known);
  return known;
}

/** Whether there is a page to add messages to; before that, `loadMessages` waits for it. */
export const hasTarget = (): boolean => target !== undefined;

/** Whether the messages of the part are loaded. */
export const hasMessages = (part: Part): boolean => used.has(part);

/** The result of `loading`, after the messages of the part are loaded too. */
export async function withMessages<T>(part: Part, loading: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([loading, loadMessages(part)]);
  return loaded;
}

async function fetchMessages(part: Part): Promise<void> {
  try {
    if (!import.meta.env.SSR) await untilTarget;
    if (!target) return;
    const language = target.language();
    const messages = await fetchCatalogue(part, language);
    used.add(part);
    // The language changed while this was loading; it includes the part only in later loads.
    if (target.language() === language) target.add(messages);
    else target.add(await fetchCatalogue(part, target.language()));
  } catch (error) {
    console.info(`No words of ${part}`, error);
  } finally {
    waiting.delete(part);
  }
}
