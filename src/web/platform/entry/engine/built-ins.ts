// Polyfills of what engines of the floor lack and the storefront calls. Each one does nothing where the engine has its
// own.
import 'core-js/modules/es.array.at.js';
import 'core-js/modules/es.array.find-last.js';
import 'core-js/modules/es.array.to-sorted.js';
import 'core-js/modules/es.object.has-own.js';
import 'core-js/modules/es.string.at-alternative.js';
import 'core-js/modules/web.url.can-parse.js';

/** Later additions to AbortSignal (DOM, 3.2): `reason`, `throwIfAborted` and `any`. */
type Late = Partial<Pick<typeof AbortSignal, 'any'>>;

function first(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController();
  const all = [...signals];
  const stop = ({ reason }: AbortSignal) => {
    for (const signal of all) signal.removeEventListener('abort', onAbort);
    controller.abort(reason);
  };
  function onAbort(this: AbortSignal): void {
    stop(this);
  }
  const ended = all.find(({ aborted }) => aborted);
  if (ended) stop(ended);
  else for (const signal of all) signal.addEventListener('abort', onAbort);
  return controller.signal;
}

/** Sets the reason in an engine that stores none, before the abort event. */
function addAbortReasons(): void {
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

const late = AbortSignal as Late; // as: the types assume engines that have it
const prototype = AbortSignal.prototype as Partial<AbortSignal>; // as: the types assume engines that have all of it
if (!('reason' in prototype)) addAbortReasons();
prototype.throwIfAborted ??= throwIfAborted;
late.any ??= first;

/** Loads polyfills that need a further request or a document. */
export async function loadPolyfills(): Promise<void> {
  markForStyles();
  if (!('HTMLDialogElement' in window)) await (await import('./dialogs.ts')).polyfillDialogs();
}

/**
 * Submits a form as its own button does: validated first, and with an event that can cancel it (HTML, `requestSubmit`).
 */
function requestSubmit(this: HTMLFormElement, submitter?: HTMLElement | null): void {
  if (submitter) return submitter.click();
  const button = document.createElement('button');
  button.hidden = true;
  this.append(button);
  button.click();
  button.remove();
}

if (typeof document !== 'undefined') {
  const form = HTMLFormElement.prototype as Partial<HTMLFormElement>; // as: the types assume engines that have it
  form.requestSubmit ??= requestSubmit;
}

/**
 * Stylesheets select by `:has()` what the page contains. For engines without it, `data-has` lists it on the same
 * element, and a second rule in `@supports not selector(:has(a))` selects by that. An element `what` within `whose`
 * adds the `name` to the attribute of `whose`.
 */
const rules = [
  { whose: 'html', what: '[data-sticky-bar]', name: 'bar' },
  { whose: 'html', what: '[data-facts]', name: 'facts' },
  ...['month', 'halfYear', 'year'].map((period) => ({
    whose: 'html',
    what: `[name="period"][value="${period}"]:checked`,
    name: period,
  })),
  { whose: 'label', what: ':checked', name: 'checked' },
  { whose: 'label', what: ':disabled', name: 'disabled' },
];

function updateAttributes(): void {
  const found = new Map<Element, string[]>();
  for (const { whose, what, name } of rules) {
    for (const element of document.querySelectorAll(whose)) {
      const names = found.get(element) ?? [];
      if (element.querySelector(what)) names.push(name);
      found.set(element, names);
    }
  }
  for (const [element, names] of found) {
    const joined = names.join(' ');
    if ((element.getAttribute('data-has') ?? '') !== joined) element.setAttribute('data-has', joined);
  }
}

/** Keeps the attributes current, before the next frame after each change. */
function markForStyles(): void {
  if (CSS.supports('selector(:has(a))')) return;
  let planned = false;
  const plan = () => {
    if (planned) return;
    planned = true;
    requestAnimationFrame(() => {
      planned = false;
      updateAttributes();
    });
  };
  const attributeFilter = ['disabled', 'checked', 'data-sticky-bar'];
  new MutationObserver(plan).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter });
  document.addEventListener('change', plan);
  updateAttributes();
}
