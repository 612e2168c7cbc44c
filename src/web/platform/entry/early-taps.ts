/** What people did before the page was alive, in order. */
export interface EarlyTaps {
  readonly taps: (HTMLButtonElement | HTMLSelectElement)[];
  /** what was chosen in a list, which React sets back when it takes over */
  readonly choices: Map<HTMLSelectElement, string>;
  readonly stop: () => void;
}

declare global {
  interface Window {
    earlyTaps?: EarlyTaps | undefined;
  }
}

/**
 * [Note: Early taps] A page is seen a second before it lives. Its links lead on by themselves, and what is typed stays in
 * its field; a tap on a button would be lost, and a form would be sent into nothing. So both are stopped, kept, and done
 * when the page lives. Nothing of what is typed is read here, and nothing leaves the page.
 *
 * The server writes this function into the page, right after what can be tapped, so it stands by itself and is written
 * for every engine that draws a page. Buttons that wait (`data-waiting`) are off for those who run no script at all.
 */
export function recordEarlyTaps(): void {
  const taps: EarlyTaps['taps'] = [];
  const choices: EarlyTaps['choices'] = new Map();
  function note(tapped: HTMLButtonElement | HTMLSelectElement) {
    if (taps.indexOf(tapped) < 0) taps.push(tapped);
  }
  function keep(event: Event) {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const button = target.closest('button');
    if (event.type === 'change') {
      if (!(target instanceof HTMLSelectElement)) return;
      choices.set(target, target.value);
      note(target);
    } else if (button || event.type === 'submit') {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (button) note(button);
    }
  }
  const kinds = ['click', 'submit', 'change'];
  kinds.forEach((kind) => addEventListener(kind, keep, true));
  window.earlyTaps = {
    taps,
    choices,
    stop: () => kinds.forEach((kind) => removeEventListener(kind, keep, true)),
  };
  document.querySelectorAll<HTMLButtonElement>('button[data-waiting]').forEach((button) => {
    button.disabled = false;
  });
}

/**
 * Does what was tapped early ([Note: Early taps]), and keeps from then on what is tapped on a part of the page that comes
 * to life after the rest.
 */
export function replayEarlyTaps(): void {
  const early = window.earlyTaps;
  if (!early) return;
  window.earlyTaps = undefined;
  const replay = () => {
    early.stop();
    addEventListener('click', keepForWaiting, true);
    for (const tapped of early.taps) {
      if (tapped instanceof HTMLSelectElement) {
        tapped.value = early.choices.get(tapped) ?? tapped.value;
        tapped.dispatchEvent(new Event('change', { bubbles: true }));
      } else if (tapped.dataset.waiting) tap(tapped.dataset.waiting);
      else tapped.click();
    }
  };
  afterTwoFrames(replay);
}

/** By then all that was typed early is in its form. */
export function afterTwoFrames(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function keepForWaiting(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-waiting]') : null;
  if (!button?.dataset.waiting) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  tap(button.dataset.waiting);
}

/** By name, because React may draw a part anew when it comes to life, and the button that was tapped is gone. */
const kept = new Set<string>();
const living = new Map<string, () => void>();

function tap(name: string): void {
  const act = living.get(name);
  if (act) act();
  else kept.add(name);
}

/** A button lives from now on: what was tapped before is done. Gives what ends it. */
export function activateButton(name: string, act: () => void): () => void {
  living.set(name, act);
  if (kept.delete(name)) act();
  return () => {
    if (living.get(name) === act) living.delete(name);
  };
}
