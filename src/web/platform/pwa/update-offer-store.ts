import { createStore, useStore } from '#web/ui/store.ts';
import { isBusy } from '#web/platform/session/busy.ts';

/**
 * A new build waits in its service worker. The customer is notified while this tab is idle and decides; nothing reloads
 * by itself. Accepting is refused while another tab is busy, because the new worker takes over all tabs at once and the
 * old build's files go with the old worker.
 */
let activate: (() => void) | undefined;
const shown = createStore(false);
let timer: ReturnType<typeof setInterval> | undefined;

/** `busy.ts` notifies at the end of busyness only, so it is polled, and only while there is an update. */
const pollEveryMs = 500;

/** Call when a new build is ready; `accept` activates and shows it. */
export function offerUpdate(accept: () => void): void {
  activate = accept;
  shown.set(!isBusy());
  timer ??= setInterval(() => shown.set(!isBusy()), pollEveryMs);
}

/** Hides the offer until the next page load. */
export function postponeUpdate(): void {
  clearInterval(timer);
  timer = undefined;
  shown.set(false);
}

/** Whether to show the offer now: there is an update, and this tab is idle. */
export function useUpdateOffer(): boolean {
  return useStore(shown, false);
}

/** Applies the update. `busy` means that this or another tab is busy, and nothing was changed. */
export async function applyUpdate(): Promise<'applied' | 'busy'> {
  if (!activate || isBusy() || (await otherTabIsBusy())) return 'busy';
  activate();
  return 'applied';
}

const channelName = 'marquee.busy';
/** How long the other tabs have to answer, in milliseconds. */
const timeoutMs = 300;

/** Undefined in old engines, and where the browser forbids the site to store anything (the constructor throws). */
function openChannel(): BroadcastChannel | undefined {
  try {
    return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName);
  } catch {
    return undefined;
  }
}

type Message = 'anyone busy?' | 'busy';

function post(channel: BroadcastChannel, message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  channel.postMessage(message);
}

/** Lets this tab answer when another tab asks whether it may activate a new build. */
export function answerOtherTabs(): void {
  const channel = openChannel();
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'anyone busy?' && isBusy()) post(channel, 'busy');
  });
}

/** Whether another tab of this storefront is busy. A tab that the phone has frozen does not answer. */
function otherTabIsBusy(): Promise<boolean> {
  const channel = openChannel();
  if (!channel) return Promise.resolve(false);
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data !== 'busy') return;
      clearTimeout(timer);
      resolve(true);
    });
    post(channel, 'anyone busy?');
  }).finally(() => channel.close());
}
