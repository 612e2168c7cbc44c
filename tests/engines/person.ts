/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises';
import type { Device } from './device.ts';
import { errorsOf, type ConsoleEntry, type Engine } from './engine.ts';

/** Somebody before a page: sees, taps, types, presses keys. Everything waits until it can be done, as people do. */
export interface Person {
  open(address: string): Promise<void>;
  /** waits until an element is seen that holds the words, and gives its text */
  see(selector: string, words?: string | RegExp): Promise<string>;
  /** waits until the address is such a one */
  at(address: RegExp): Promise<string>;
  /** waits until an element can be got at: it is seen, enabled, at rest and not covered; answers where */
  reach(selector: string): Promise<{ readonly x: number; readonly y: number }>;
  tap(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  /** waits until a question to the page is answered with true */
  until<A>(question: (argument: A) => boolean | Promise<boolean>, argument: A): Promise<void>;
  /** runs in the page */
  ask<T, A>(question: (argument: A) => T, argument: A): Promise<Awaited<T>>;
  key(name: string): Promise<void>;
  /** writes with the keys to what has the focus */
  write(text: string): Promise<void>;
  picture(): Promise<Buffer>;
  /** goes away and leaves nothing open */
  leave(): Promise<void>;
  /** what the console has called an error so far */
  readonly errors: readonly string[];
  /** the same with its warnings */
  readonly console: readonly ConsoleEntry[];
}

const patienceMs = 120_000;
const pauseMs = 40;
const doubleTapMs = 400;

/**
 * In the page: where to touch an element, once it is seen, enabled, at rest and not covered; else what is in the way. Words
 * after a bar name one of several by what stands on it.
 */
async function whereIs(wanted: string): Promise<{ x: number; y: number } | string> {
  const [selector = '', words = ''] = wanted.split('|');
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const element = all.find(
    (one) => one.textContent?.includes(words) && one.closest('label, a, button, form')?.getClientRects().length,
  );
  if (!element) return 'is not there';
  if (element.matches(':disabled')) return 'is disabled';
  // an engine takes no taps while one page turns into the next
  const turning = (effect: AnimationEffect | null) =>
    effect instanceof KeyframeEffect && /transition/.test(effect.pseudoElement ?? '');
  const isTurning =
    'getAnimations' in document && document.getAnimations().some((animation) => turning(animation.effect));
  if (isTurning) return 'is under a transition';
  const target = element.getBoundingClientRect().width > 1 ? element : (element.closest('label') ?? element);
  target.scrollIntoView({ block: 'center' });
  const before = target.getBoundingClientRect();
  await new Promise(requestAnimationFrame);
  const box = target.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return 'has no size';
  if (box.top !== before.top || box.left !== before.left) return 'moves';
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  const above = document.elementFromPoint(x, y);
  const own = above && (target.contains(above) || above.contains(target) || above.closest('label')?.contains(element));
  return own ? { x, y } : `is covered by ${above?.outerHTML.slice(0, 80)}`;
}

/** In the page: the text of what is seen first of these. */
function seenText(selector: string): string | null {
  const seen = [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.getClientRects().length > 0);
  return seen?.textContent ?? null;
}

async function patiently<T>(what: () => string, attempt: () => Promise<T | undefined>): Promise<T> {
  const until = Date.now() + patienceMs;
  while (Date.now() < until) {
    const found = await attempt();
    if (found !== undefined) return found;
    await wait(pauseMs);
  }
  throw new Error(what());
}

/** Puts somebody before a new page of an engine. */
export async function personAt(engine: Engine, device: Device, language = 'en-US'): Promise<Person> {
  const page = await engine.newPage(device, language);

  async function ask<T, A>(question: (argument: A) => T, argument: A): Promise<Awaited<T>> {
    const value = await page.evaluate(`(${question.toString()})(${JSON.stringify(argument)})`);
    return value as Awaited<T>; // as: what the function gives, sent as JSON
  }

  function reach(selector: string): Promise<{ x: number; y: number }> {
    let why = '';
    return patiently(
      () => `${selector} cannot be got at: it ${why}`,
      async () => {
        const found = await ask(whereIs, selector);
        if (typeof found !== 'string') return found;
        why = found;
        return undefined;
      },
    );
  }

  let lastTap = 0;

  async function tap(selector: string): Promise<void> {
    // two quick ones at the same place are a double tap, which chooses a word
    await wait(Math.max(0, lastTap + doubleTapMs - Date.now()));
    await page.tap(await reach(selector));
    lastTap = Date.now();
  }

  /** Until it is as somebody wants it, who sees when it is not: an old engine on a busy machine drops a tap now and then. */
  async function insist(what: string, act: () => Promise<void>, isDone: () => Promise<boolean>): Promise<void> {
    await patiently(
      () => `${what} has no effect`,
      async () => {
        await act();
        for (let looks = 0; looks < 10; looks += 1) {
          if (await isDone()) return true;
          await wait(pauseMs);
        }
        return undefined;
      },
    );
  }

  async function press(selector: string): Promise<void> {
    const isChoice = await ask(
      (wanted) => document.querySelector(wanted.split('|')[0] ?? '')?.matches('[type=radio],[type=checkbox]'),
      selector,
    );
    if (isChoice !== true) return tap(selector);
    const isChecked = () =>
      ask((wanted) => document.querySelector<HTMLInputElement>(wanted)?.checked === true, selector);
    return insist(`a tap on ${selector}`, () => tap(selector), isChecked);
  }

  return {
    get errors() {
      return errorsOf(page.console);
    },
    get console() {
      return page.console;
    },
    ask,
    reach,
    tap: press,
    write: page.type,
    key: page.press,
    open: page.open,
    see: (selector, words = '') => {
      let last: string | null = null;
      return patiently(
        () => `${selector} with ${String(words)} is not seen, but ${JSON.stringify(last)}`,
        async () => {
          last = await ask(seenText, selector);
          const fits = last !== null && (typeof words === 'string' ? last.includes(words) : words.test(last));
          return fits ? (last ?? '') : undefined;
        },
      );
    },
    at: (address) => {
      let last = '';
      return patiently(
        () => `The address is ${last} and not ${String(address)}`,
        async () => {
          last = await ask(() => location.pathname + location.search, null);
          return address.test(last) ? last : undefined;
        },
      );
    },
    until: async (question, argument) => {
      const isSo = async () => ((await ask(question, argument)) ? true : undefined);
      await patiently(() => `The page never answers with true: ${question.toString()}`, isSo);
    },
    type: (selector, text) =>
      insist(
        `typing into ${selector}`,
        async () => {
          const hasFocus = () => ask((wanted) => document.activeElement?.matches(wanted) === true, selector);
          await insist(`a tap on ${selector}`, () => tap(selector), hasFocus);
          await page.type(text);
        },
        // a code that is complete is sent at once, and its input goes away
        () => ask((wanted) => document.querySelector<HTMLInputElement>(wanted)?.value !== '', selector),
      ),
    leave: page.close,
    picture: page.screenshot,
  };
}
