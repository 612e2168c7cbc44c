/** The input before hydration, in order. */
export interface EarlyTaps {
  readonly taps: (HTMLButtonElement | HTMLSelectElement)[];
  /** values chosen in lists, which React resets during hydration */
  readonly choices: Map<HTMLSelectElement, string>;
  readonly stop: () => void;
}

declare global {
  interface Window {
    earlyTaps?: EarlyTaps | undefined;
  }
}

/**
 * A page is visible about a second before hydration. Its links work without scripts, and typed text stays in its field,
 * but a tap on a button or a submit would be lost. So both are stopped, recorded, and replayed after hydration. Typed
 * text is not read here, and nothing is sent.
 *
 * The server writes this function into the page, right after the controls, so it uses nothing outside itself and only
 * syntax that every engine parses. Buttons with `data-waiting` are disabled where scripts are off.
 */
export function recordEarlyTaps(): void {
  const taps: EarlyTaps['taps'] = [];
  const choices: EarlyTaps['choices'] = new Map();
  function recordTap(tapped: HTMLButtonElement | HTMLSelectElement) {
    if (taps.indexOf(tapped) < 0) taps.push(tapped);
  }
  function record(event: Event) {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const button = target.closest('button');
    if (event.type === 'change') {
      if (!(target instanceof HTMLSelectElement)) return;
      choices.set(target, target.value);
      recordTap(target);
    } else if (button || event.type === 'submit') {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (button) recordTap(button);
    }
  }
  const kinds = ['click', 'submit', 'change'];
  kinds.forEach((kind) => addEventListener(kind, record, true));
  window.earlyTaps = {
    taps,
    choices,
    stop: () => kinds.forEach((kind) => removeEventListener(kind, record, true)),
  };
  document.querySelectorAll<HTMLButtonElement>('button[data-waiting]').forEach((button) => {
    button.disabled = false;
  });
}

/** Replays the recorded taps, and from then on records taps on parts of the page that are hydrated later. */
export function replayEarlyTaps(): void {
  const early = window.earlyTaps;
  if (!early) return;
  window.earlyTaps = undefined;
  const replay = () => {
    early.stop();
    addEventListener('click', recordWaitingTap, true);
    for (const tapped of early.taps) {
      if (tapped instanceof HTMLSelectElement) choose(tapped, early.choices.get(tapped) ?? tapped.value);
      else if (tapped.dataset.waiting) tap(tapped.dataset.waiting);
      else tapped.click();
    }
  };
  afterTwoFrames(replay);
}

/** In a page that replaced the server's HTML, in the list of the same name. */
function choose(list: HTMLSelectElement, value: string): void {
  const current = list.isConnected ? list : document.querySelector<HTMLSelectElement>(`select[name="${list.name}"]`);
  if (current) current.value = value;
  current?.dispatchEvent(new Event('change', { bubbles: true }));
}

/** After two frames, text that was typed before hydration is in its form. */
export function afterTwoFrames(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function recordWaitingTap(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-waiting]') : null;
  if (!button?.dataset.waiting) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  tap(button.dataset.waiting);
}

/** By name, because React may render a part again when it hydrates it, and the tapped button is gone. */
const pendingTaps = new Set<string>();
const hydratedButtons = new Map<string, () => void>();

function tap(name: string): void {
  const act = hydratedButtons.get(name);
  if (act) act();
  else pendingTaps.add(name);
}

/** Registers a hydrated button and replays an earlier tap on it. Returns the function that unregisters it. */
export function activateButton(name: string, act: () => void): () => void {
  hydratedButtons.set(name, act);
  if (pendingTaps.delete(name)) act();
  return () => {
    if (hydratedButtons.get(name) === act) hydratedButtons.delete(name);
  };
}
