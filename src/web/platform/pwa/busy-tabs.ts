import { isBusy } from '#web/platform/session/busy.ts';

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
export function otherTabIsBusy(): Promise<boolean> {
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
