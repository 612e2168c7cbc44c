import type { UserInfo } from '#contract/user.ts';
import type { GrantAnswer, GrantCodes } from '#web/platform/api/device-grant.ts';

/** What the TV shows while it waits for a phone. */
export interface Shown {
  /** the codes on the screen; undefined before the first, and after a refusal */
  readonly codes: GrantCodes | undefined;
  /** the last request did not reach the server; the code on the screen may still be valid */
  readonly lost: boolean;
  /** the phone refused */
  readonly refused: boolean;
}

export const nothingShown: Shown = { codes: undefined, lost: false, refused: false };

export interface GrantWire {
  readonly requestGrantCodes: () => Promise<GrantCodes | undefined>;
  readonly requestGrantSession: (deviceCode: string) => Promise<GrantAnswer>;
  /** resolves after so many milliseconds, and not before the page is visible */
  readonly wait: (ms: number) => Promise<void>;
  readonly show: (shown: Shown) => void;
  /** false once the component is unmounted */
  readonly alive: () => boolean;
}

const secondMs = 1000;
/** `slow_down` lengthens the interval by five seconds permanently (RFC 8628, 3.5). */
const slowerMs = 5 * secondMs;
const longestMs = 60 * secondMs;

/** Doubles the interval after each consecutive failure (RFC 8628, 3.5, on timeouts). */
const backedOff = (ms: number, failures: number) => Math.min(longestMs, ms * 2 ** Math.min(failures, 4));

/**
 * The TV's side of the device grant (RFC 8628): shows a code, polls no faster than allowed, and requests a new code
 * when one expires. Resolves to the customer that the phone approved; undefined after a refusal or unmount. A lost
 * connection ends nothing.
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

/** Follows one code until it is approved, refused or expired. */
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
