/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises';
import type { Device } from './device.ts';
import { errorsOf, type ConsoleEntry, type Engine } from './engine.ts';

/** A customer at a page, who sees, taps, types and presses keys. Every action waits until it is possible. */
export interface Person {
  open(address: string): Promise<void>;
  /** Waits until an element with the text is visible, and returns its text. */
  see(selector: string, words?: string | RegExp): Promise<string>;
  /** Waits until the address matches. */
  at(address: RegExp): Promise<string>;
  /** Waits until an element can be tapped: visible, enabled, at rest and not covered. Returns the position. */
  reach(selector: string): Promise<{ readonly x: number; readonly y: number }>;
  tap(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  /** Waits until a function in the page returns true. */
  until<A>(question: (argument: A) => boolean | Promise<boolean>, argument: A): Promise<void>;
  /** Runs in the page. */
  ask<T, A>(question: (argument: A) => T, argument: A): Promise<Awaited<T>>;
  key(name: string): Promise<void>;
  /** Types into the focused element. */
  write(text: string): Promise<void>;
  picture(): Promise<Buffer>;
  /** Closes the page. */
  leave(): Promise<void>;
  /** The errors in the console so far. */
  readonly errors: readonly string[];
  /** The errors and warnings in the console so far. */
  readonly console: readonly ConsoleEntry[];
}

const pollLimitMs = 120_000;
const pauseMs = 40;
const doubleTapMs = 400;

/**
 * Runs in the page: the position of an element that is visible, enabled, at rest and not covered, or else the reason.
 * Text after a bar selects one of several elements by its content.
 */
async function tapTarget(wanted: string): Promise<{ x: number; y: number } | string> {
  const [selector = '', words = ''] = wanted.split('|');
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const element = all.find(
    (one) => one.textContent?.includes(words) && one.closest('label, a, button, form')?.getClientRects().length,
  );
  if (!element) return 'is not there';
  if (element.matches(':disabled')) return 'is disabled';
  // An engine accepts no taps during a page transition.
  const isTransition = (effect: AnimationEffect | null) =>
    effect instanceof KeyframeEffect && /transition/.test(effect.pseudoElement ?? '');
  const hasTransition =
    'getAnimations' in document && document.getAnimations().some((animation) => isTransition(animation.effect));
  if (hasTransition) return 'is under a transition';
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

/** Runs in the page: marks it until such an element is clicked. A page that has been left for another has no mark. */
function awaitClick(wanted: string): void {
  const [selector = ''] = wanted.split('|');
  const root = document.documentElement;
  root.dataset['awaitsClick'] = '';
  const noteDown = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest(selector))) return;
    delete root.dataset['awaitsClick'];
    document.removeEventListener('click', noteDown, true);
  };
  document.addEventListener('click', noteDown, true);
}

/** Runs in the page: its address, and what it shows, for the message of a failed step. */
function whereabouts(): string {
  const heading = document.querySelector('h1')?.textContent ?? 'no heading';
  const said = [...document.querySelectorAll('[role="alert"], [role="status"], [aria-busy="true"]')];
  const focus = document.activeElement?.outerHTML.slice(0, 120);
  const says = said.map((one) => one.textContent?.trim()).filter(Boolean);
  return `${location.pathname}${location.search}, ${heading}, with the focus on ${focus}, and says ${JSON.stringify(says)}`;
}

/** Runs in the page: the text of the first element that is visible. */
function visibleText(selector: string): string | null {
  const seen = [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.getClientRects().length > 0);
  return seen?.textContent ?? null;
}

async function poll<T>(what: () => string, attempt: () => Promise<T | undefined>): Promise<T> {
  const until = Date.now() + pollLimitMs;
  while (Date.now() < until) {
    const found = await attempt();
    if (found !== undefined) return found;
    await wait(pauseMs);
  }
  throw new Error(what());
}

/** Opens a new page of an engine for a customer. */
export async function personAt(engine: Engine, device: Device, language = 'en-US'): Promise<Person> {
  const page = await engine.newPage(device, language);

  async function ask<T, A>(question: (argument: A) => T, argument: A): Promise<Awaited<T>> {
    const value = await page.evaluate(`(${question.toString()})(${JSON.stringify(argument)})`);
    return value as Awaited<T>; // as: what the function gives, sent as JSON
  }

  function reach(selector: string): Promise<{ x: number; y: number }> {
    let why = '';
    return poll(
      () => `${selector} cannot be got at: it ${why}`,
      async () => {
        const found = await ask(tapTarget, selector);
        if (typeof found !== 'string') return found;
        why = `${found}; the page is ${await ask(whereabouts, null)}`;
        return undefined;
      },
    );
  }

  let lastTap = 0;

  async function tap(selector: string): Promise<void> {
    // Two quick taps at the same place are a double tap, which selects a word.
    await wait(Math.max(0, lastTap + doubleTapMs - Date.now()));
    await page.tap(await reach(selector));
    lastTap = Date.now();
  }

  /** Repeats an action until it takes effect: an old engine on a busy machine drops a tap now and then. */
  async function repeatUntil(
    what: string,
    act: () => Promise<void>,
    isDone: () => Promise<boolean>,
    mostChecks = 10,
  ): Promise<void> {
    await poll(
      () => `${what} has no effect`,
      async () => {
        await act();
        for (let checks = 0; checks < mostChecks; checks += 1) {
          if (await isDone()) return true;
          await wait(pauseMs);
        }
        return undefined;
      },
    );
  }

  /** A tap whose click the page notes down, so that a tap that was dropped can be told from one without effect. */
  async function tapOnce(selector: string): Promise<void> {
    await ask(awaitClick, selector);
    await tap(selector);
  }

  const wasClicked = () => ask(() => document.querySelector('html[data-awaits-click]') === null, null);

  async function press(selector: string): Promise<void> {
    // before it is on the page, its type is unknown
    await reach(selector);
    const isChoice = await ask(
      (wanted) => document.querySelector(wanted.split('|')[0] ?? '')?.matches('[type=radio],[type=checkbox]'),
      selector,
    );
    // a second click would be one too many, so the first one is waited for much longer than it takes
    if (isChoice !== true) return repeatUntil(`a tap on ${selector}`, () => tapOnce(selector), wasClicked, 75);
    // A chosen payment method continues by itself, and its list disappears.
    const isChosen = () =>
      ask((wanted) => document.querySelector<HTMLInputElement>(wanted)?.checked !== false, selector);
    return repeatUntil(`a tap on ${selector}`, () => tap(selector), isChosen);
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
      return poll(
        () => `${selector} with ${String(words)} is not seen, but ${JSON.stringify(last)}`,
        async () => {
          last = await ask(visibleText, selector);
          const fits = last !== null && (typeof words === 'string' ? last.includes(words) : words.test(last));
          return fits ? (last ?? '') : undefined;
        },
      );
    },
    at: (address) => {
      let page = '';
      return poll(
        () => `The page is ${page} and not ${String(address)}`,
        async () => {
          page = await ask(whereabouts, null);
          const [here = ''] = page.split(', ');
          return address.test(here) ? here : undefined;
        },
      );
    },
    until: async (question, argument) => {
      const isSo = async () => ((await ask(question, argument)) ? true : undefined);
      await poll(() => `The page never answers with true: ${question.toString()}`, isSo);
    },
    type: (selector, text) =>
      repeatUntil(
        `typing into ${selector}`,
        async () => {
          const hasFocus = () => ask((wanted) => document.activeElement?.matches(wanted) === true, selector);
          await repeatUntil(`a tap on ${selector}`, () => tap(selector), hasFocus);
          await page.type(text);
        },
        // A complete code is sent at once, and its field disappears.
        () => ask((wanted) => document.querySelector<HTMLInputElement>(wanted)?.value !== '', selector),
      ),
    leave: page.close,
    picture: page.screenshot,
  };
}
