import { isBusy } from '#web/platform/session/busy.ts';
import { isTextControl } from './visible-controls.ts';

/** Names of the remote control's Back key on Tizen, webOS and Android TV. */
const names = new Set(['GoBack', 'BrowserBack', 'XF86Back']);
/** Key codes where a TV reports no name: 10009 on Tizen, 461 on webOS. */
const codes = new Set([10_009, 461]);

export function isBackKey(event: KeyboardEvent): boolean {
  return event.key === 'Escape' || event.key === 'Backspace' || isOwnKey(event);
}

/** Keys that only mean Back. Escape and Backspace belong to a text field first. */
function isOwnKey({ key, keyCode }: KeyboardEvent): boolean {
  return names.has(key) || codes.has(keyCode);
}

/** Closes the open dialog or details; else, unless the customer is typing or paying, goes to the previous page. */
export function goBack(event: KeyboardEvent): void {
  const { activeElement } = document;
  // A repeated Backspace deletes a text and would leave the page after its last letter.
  if (event.repeat || (!isOwnKey(event) && typesInto(activeElement))) return;
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].pop();
  const details = activeElement?.closest<HTMLDetailsElement>('details[open]');
  if (dialog) {
    // The browser closes the dialog at Escape.
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

/** Whether the key belongs to the text field: it contains text, or the customer has just emptied it. */
function typesInto(element: Element | null): boolean {
  return isTextControl(element) && (element.value !== '' || element === edited);
}

let edited: EventTarget | null = null;

/** Tracks which field was edited since it received the focus. */
export function followTyping(): void {
  document.addEventListener('input', ({ target }) => void (edited = target));
  document.addEventListener('focusin', () => void (edited = null));
}

/** No key leaves a payment in progress; only a dedicated Back key leaves a form with input. */
function mayLeave(event: KeyboardEvent): boolean {
  return isOwnKey(event) ? !isBusy('payment') : !isBusy();
}

/** Within the storefront: the router counts its pages. Before the first page the TV handles Back. */
function hasPageBefore(): boolean {
  const state: unknown = history.state;
  const index = typeof state === 'object' && state !== null && '__TSR_index' in state ? state.__TSR_index : 0;
  return typeof index === 'number' && index > 0;
}
