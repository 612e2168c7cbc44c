import { isBusy } from '#web/platform/session/busy.ts';

const channelName = 'marquee.busy';
/** How long the other tabs have to answer, in milliseconds. */
const patienceMs = 300;

/** Missing in old engines; throws where the browser forbids the site to store anything. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName);
  } catch {
    return undefined;
  }
}

type Word = 'anyone busy?' | 'busy';

function say(channel: BroadcastChannel, word: Word): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  channel.postMessage(word);
}

/** Lets this tab answer when another one asks whether it may bring in a new build. */
export function answerOtherTabs(): void {
  const channel = openChannel();
  channel?.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (data === 'anyone busy?' && isBusy()) say(channel, 'busy');
  });
}

/** Whether another tab of this shop is in the middle of something. A tab that the phone has frozen does not answer. */
export function otherTabIsBusy(): Promise<boolean> {
  const channel = openChannel();
  if (!channel) return Promise.resolve(false);
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs);
    channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
      if (data !== 'busy') return;
      clearTimeout(timer);
      resolve(true);
    });
    say(channel, 'anyone busy?');
  }).finally(() => channel.close());
}
