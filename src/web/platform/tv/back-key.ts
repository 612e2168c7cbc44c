import { isBusy } from '#web/platform/session/busy.ts';
import { isTyped } from './seen-controls.ts';

/** Back of a remote control, as Tizen, webOS and Android TV name it. */
const names = new Set(['GoBack', 'BrowserBack', 'XF86Back']);
/** Where a TV gives it no name: 10009 on Tizen, 461 on webOS. */
const codes = new Set([10_009, 461]);

export function isBackKey(event: KeyboardEvent): boolean {
  return event.key === 'Escape' || event.key === 'Backspace' || isOwnKey(event);
}

/** Nothing but Back, while Escape and Backspace belong to what is typed first. */
function isOwnKey({ key, keyCode }: KeyboardEvent): boolean {
  return names.has(key) || codes.has(keyCode);
}

/** Closes what is open; else, unless somebody is typing or paying, goes to the page before. */
export function goBack(event: KeyboardEvent): void {
  const { activeElement } = document;
  // Held down it deletes a text, and would leave the page with the last letter of it.
  if (event.repeat || (!isOwnKey(event) && typesInto(activeElement))) return;
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].pop();
  const details = activeElement?.closest<HTMLDetailsElement>('details[open]');
  if (dialog) {
    // Escape closes it without us.
    if (event.key === 'Escape') return;
    event.preventDefault();
    if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
  } else if (details) {
    event.preventDefault();
    details.open = false;
    details.querySelector('summary')?.focus();
  } else if (mayLeave(event) && hasPageBefore()) {
    event.preventDefault();
    history.back();
  }
}

/** Whether the key is the text's: there is one, or there was one until a moment ago. */
function typesInto(element: Element | null): boolean {
  return isTyped(element) && (element.value !== '' || element === edited);
}

let edited: EventTarget | null = null;

/** Remembers which field was typed into since it has got the focus. */
export function followTyping(): void {
  document.addEventListener('input', ({ target }) => void (edited = target));
  document.addEventListener('focusin', () => void (edited = null));
}

/** A payment under way is left by no key, a form that was begun by one that says Back. */
function mayLeave(event: KeyboardEvent): boolean {
  return isOwnKey(event) ? !isBusy('payment') : !isBusy();
}

/** Within the shop: the router counts its pages. Before the first one is whatever the TV showed, which is the TV's. */
function hasPageBefore(): boolean {
  const state: unknown = history.state;
  const index = typeof state === 'object' && state !== null && '__TSR_index' in state ? state.__TSR_index : 0;
  return typeof index === 'number' && index > 0;
}
