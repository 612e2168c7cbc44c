// What engines of the floor lack and the storefront calls. Each one steps back where the engine has its own.
import 'core-js/modules/es.array.at.js';
import 'core-js/modules/es.array.find-last.js';
import 'core-js/modules/es.array.to-sorted.js';
import 'core-js/modules/es.object.has-own.js';
import 'core-js/modules/es.string.at-alternative.js';
import 'core-js/modules/web.url.can-parse.js';
import { markForStyles } from './mark-for-styles.ts';

/** What AbortSignal got late (DOM, 3.2): its reason, the check, and one that follows several. */
type Late = Partial<Pick<typeof AbortSignal, 'any'>>;

function first(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController();
  const all = [...signals];
  const stop = ({ reason }: AbortSignal) => {
    for (const signal of all) signal.removeEventListener('abort', heard);
    controller.abort(reason);
  };
  function heard(this: AbortSignal): void {
    stop(this);
  }
  const ended = all.find(({ aborted }) => aborted);
  if (ended) stop(ended);
  else for (const signal of all) signal.addEventListener('abort', heard);
  return controller.signal;
}

/** An engine that keeps no reason is given one, before anybody hears of the end. */
function keepReasons(): void {
  const { abort } = AbortController.prototype;
  AbortController.prototype.abort = function abortWithReason(
    reason: unknown = new DOMException('Stopped', 'AbortError'),
  ) {
    if (!this.signal.aborted) Object.defineProperty(this.signal, 'reason', { value: reason, configurable: true });
    abort.call(this);
  };
}

function throwIfAborted(this: AbortSignal): void {
  if (this.aborted) throw this.reason;
}

const late = AbortSignal as Late; // as: the types know engines that have it
const prototype = AbortSignal.prototype as Partial<AbortSignal>; // as: the types know engines that have all of it
if (!('reason' in prototype)) keepReasons();
prototype.throwIfAborted ??= throwIfAborted;
late.any ??= first;

/** What cannot be brought without asking for more, or needs a page. */
export async function loadPolyfills(): Promise<void> {
  markForStyles();
  if (!('HTMLDialogElement' in window)) await (await import('./dialogs.ts')).polyfillDialogs();
}

/** Sends a form as its own button does: checked first, and with an event that can stop it (HTML, `requestSubmit`). */
function requestSubmit(this: HTMLFormElement, submitter?: HTMLElement | null): void {
  if (submitter) return submitter.click();
  const button = document.createElement('button');
  button.hidden = true;
  this.append(button);
  button.click();
  button.remove();
}

if (typeof document !== 'undefined') {
  const form = HTMLFormElement.prototype as Partial<HTMLFormElement>; // as: the types know engines that have it
  form.requestSubmit ??= requestSubmit;
}
