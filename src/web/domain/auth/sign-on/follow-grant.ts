import type { UserInfo } from '#contract/user.ts';
import type { GrantAnswer, GrantCodes } from '#web/platform/api/device-grant.ts';

/** What the TV shows while it waits for a phone. */
export interface Shown {
  /** the codes on the screen; undefined before the first, and after a no */
  readonly codes: GrantCodes | undefined;
  /** the last question found no server; the code on the screen may still be good */
  readonly lost: boolean;
  /** somebody said no on the phone */
  readonly refused: boolean;
}

export const nothingShown: Shown = { codes: undefined, lost: false, refused: false };

export interface GrantWire {
  readonly requestGrantCodes: () => Promise<GrantCodes | undefined>;
  readonly requestGrantSession: (deviceCode: string) => Promise<GrantAnswer>;
  /** resolves after so many milliseconds, and not before somebody looks */
  readonly wait: (ms: number) => Promise<void>;
  readonly show: (shown: Shown) => void;
  /** false once nobody waits any more */
  readonly alive: () => boolean;
}

const secondMs = 1000;
/** "slow_down": the wait grows by five seconds for good (RFC 8628, 3.5). */
const slowerMs = 5 * secondMs;
const longestMs = 60 * secondMs;

/** Twice as long after each failure in a row (RFC 8628, 3.5, on timeouts). */
const backedOff = (ms: number, failures: number) => Math.min(longestMs, ms * 2 ** Math.min(failures, 4));

/**
 * The TV's part of [Note: Device grant]: shows a code, asks whether the phone has agreed, no faster than it was told, and
 * takes a new code when one has ended. Answers with whom the phone has let in; undefined after a no, or when nobody
 * waits any more. A lost network ends nothing.
 */
export async function followGrant(wire: GrantWire): Promise<UserInfo | undefined> {
  let failures = 0;
  while (wire.alive()) {
    const codes = await wire.requestGrantCodes();
    if (!wire.alive()) return undefined;
    if (!codes) {
      wire.show({ ...nothingShown, lost: true });
      await wire.wait(backedOff(5 * secondMs, failures));
      failures += 1;
      continue;
    }
    failures = 0;
    const end = await followCode(codes, wire);
    if (end !== 'ended') return end;
  }
  return undefined;
}

/** One code, until it ends by a yes, a no, or its time. */
async function followCode(codes: GrantCodes, wire: GrantWire): Promise<UserInfo | 'ended' | undefined> {
  let intervalMs = codes.interval * secondMs;
  let failures = 0;
  wire.show({ codes, lost: false, refused: false });
  for (;;) {
    await wire.wait(backedOff(intervalMs, failures));
    if (!wire.alive()) return undefined;
    const answer = await wire.requestGrantSession(codes.device_code);
    if (!wire.alive()) return undefined;
    if (answer.kind === 'granted') return answer.user;
    const wasLost = failures > 0;
    failures = answer.kind === 'lost' ? failures + 1 : 0;
    if (answer.kind === 'lost' || wasLost) wire.show({ codes, lost: answer.kind === 'lost', refused: false });
    if (answer.kind === 'lost') continue;
    if (answer.error === 'slow_down') intervalMs += slowerMs;
    else if (answer.error === 'access_denied') {
      wire.show({ ...nothingShown, refused: true });
      return undefined;
    } else if (answer.error !== 'authorization_pending') return 'ended';
  }
}
