/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { emulate, type Device } from './device.ts';
import type { Engine, Wire } from './devtools.ts';

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
}

const patienceMs = 20_000;
const pauseMs = 40;
const doubleTapMs = 400;

const keyCodes: Readonly<Record<string, number>> = {
  Enter: 13,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};

const evaluated = v.object({
  result: v.object({ value: v.optional(v.unknown()) }),
  exceptionDetails: v.optional(v.object({ text: v.string(), exception: v.optional(v.unknown()) })),
});

/**
 * The browser of a TV calls it an error when the TV asks whether the phone has agreed and hears "not yet", which has the
 * status 400 (RFC 8628, 3.5). Whether it asks before somebody has typed their password depends on the machine.
 */
const notYet = /status of 400 .*\/oauth\/token/;

/** What a page calls an error: uncaught ones, what scripts log as one, and what the browser itself does. */
function hearErrors(wire: Wire, { touch }: Device): string[] {
  const errors: string[] = [];
  wire.on('Runtime.exceptionThrown', (params) => errors.push(`uncaught: ${JSON.stringify(params)}`));
  wire.on('Runtime.consoleAPICalled', (params) => {
    const { type, args } = v.parse(v.object({ type: v.string(), args: v.array(v.unknown()) }), params);
    if (type === 'error' || type === 'assert') errors.push(`console: ${JSON.stringify(args)}`);
  });
  wire.on('Log.entryAdded', (params) => {
    const entry = v.object({ level: v.string(), text: v.string(), url: v.optional(v.string()) });
    const { level, text, url } = v.parse(v.object({ entry }), params).entry;
    const told = `${text} (${url ?? ''})`;
    if (level === 'error' && (touch || !notYet.test(told))) errors.push(told);
  });
  return errors;
}

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
  const wire = await engine.newPage();
  const errors = hearErrors(wire, device);
  await emulate(wire, device, language);

  async function ask<T, A>(question: (argument: A) => T, argument: A): Promise<Awaited<T>> {
    const expression = `(${question.toString()})(${JSON.stringify(argument)})`;
    const answer = await wire.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = v.parse(evaluated, answer);
    if (exceptionDetails) throw new Error(`In the page: ${JSON.stringify(exceptionDetails)}`);
    return result.value as Awaited<T>; // as: what the function gives, sent as JSON
  }

  const key = async (name: string, text?: string) => {
    const code = keyCodes[name] ?? 0;
    const same = { key: name, code: text === undefined ? name : '', windowsVirtualKeyCode: code, text };
    await wire.send('Input.dispatchKeyEvent', { type: text === undefined ? 'rawKeyDown' : 'keyDown', ...same });
    await wire.send('Input.dispatchKeyEvent', { type: 'keyUp', ...same, text: undefined });
  };

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
    const { x, y } = await reach(selector);
    // both at once: with an answer awaited in between, a busy machine would make a long press of it
    const dispatch = (kind: 'Touch' | 'Mouse', ...events: readonly object[]) =>
      Promise.all(events.map((event) => wire.send(`Input.dispatch${kind}Event`, { ...event })));
    const click = { x, y, button: 'left', clickCount: 1 };
    const finger = [
      { type: 'touchStart', touchPoints: [{ x, y }] },
      { type: 'touchEnd', touchPoints: [] },
    ];
    const mouse = ['mousePressed', 'mouseReleased'].map((type) => ({ type, ...click }));
    await (device.touch ? dispatch('Touch', ...finger) : dispatch('Mouse', ...mouse));
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

  const write = async (text: string) => {
    for (const letter of text) await key(letter, letter);
  };

  return {
    errors,
    ask,
    reach,
    tap: press,
    write,
    key: (name) => (name === 'Enter' ? key(name, '\r') : key(name)),
    open: async (address) => void (await wire.send('Page.navigate', { url: address })),
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
    type: (selector, text) =>
      insist(
        `typing into ${selector}`,
        async () => {
          const hasFocus = () => ask((wanted) => document.activeElement?.matches(wanted) === true, selector);
          await insist(`a tap on ${selector}`, () => tap(selector), hasFocus);
          await write(text);
        },
        () => ask((wanted) => (document.querySelector<HTMLInputElement>(wanted)?.value ?? '') !== '', selector),
      ),
    leave: async () => void (await wire.send('Page.close')),
    picture: async () => {
      const answer = await wire.send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(v.parse(v.object({ data: v.string() }), answer).data, 'base64');
    },
  };
}
