/// <reference lib="dom" />
import type { Device } from './device.ts';
import type { Person } from './person.ts';

/** How somebody gets at what a page shows: with a finger or a mouse, or with the arrows and OK of a remote control. */
export interface InputDriver {
  press(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
}

export const driverOf = (person: Person, device: Device): InputDriver =>
  device.input === 'remote control' ? remoteControl(person) : pointer(person);

const pointer = (person: Person): InputDriver => ({ press: person.tap, fill: person.type });

/** More presses than anybody has patience for. */
const patience = 40;

function remoteControl(person: Person): InputDriver {
  async function walkTo(selector: string): Promise<void> {
    await person.reach(selector);
    const way: string[] = [];
    while (way.length < patience) {
      const arrow = await person.ask(arrowTo, selector);
      if (arrow === null) return;
      way.push(arrow);
      await person.key(arrow);
    }
    throw new Error(`The arrows do not lead to ${selector}: ${way.join(' ')}`);
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

/** In the page: the arrow that points from what has the focus to the element; null once it has it. */
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
