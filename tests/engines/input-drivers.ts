/// <reference lib="dom" />
import type { Device } from './device.ts';
import type { Person } from './person.ts';

/** How a customer operates a page: with a finger or a mouse, or with the arrows and OK of a remote control. */
export interface InputDriver {
  press(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
}

export const driverOf = (person: Person, device: Device): InputDriver =>
  device.input === 'remote control' ? remoteControl(person) : pointer(person);

const pointer = (person: Person): InputDriver => ({ press: person.tap, fill: person.type });

/** The most presses that it may take to reach a control. */
const maxPresses = 40;

function remoteControl(person: Person): InputDriver {
  async function walkTo(selector: string): Promise<void> {
    await person.reach(selector);
    const presses: string[] = [];
    while (presses.length < maxPresses) {
      const arrow = await person.ask(arrowTo, selector);
      if (arrow === null) return;
      presses.push(arrow);
      await person.key(arrow);
    }
    throw new Error(`The arrows do not lead to ${selector}: ${presses.join(' ')}`);
  }
  return {
    press: async (selector) => {
      await walkTo(selector);
      await person.key('Enter');
    },
    fill: async (selector, text) => {
      await walkTo(selector);
      await person.write(text);
    },
  };
}

/** Runs in the page: the arrow that points from the focused element to the target; null once the target is focused. */
function arrowTo(selector: string): string | null {
  const { activeElement } = document;
  const element = document.querySelector(selector);
  if (!element) return 'ArrowDown';
  if (activeElement === element) return null;
  if (!activeElement || activeElement === document.body || activeElement.tagName === 'MAIN') return 'ArrowDown';
  const from = activeElement.getBoundingClientRect();
  const to = element.getBoundingClientRect();
  if (to.top >= from.bottom - 2) return 'ArrowDown';
  if (to.bottom <= from.top + 2) return 'ArrowUp';
  return to.left >= from.left ? 'ArrowRight' : 'ArrowLeft';
}
