import { fingerprintKey } from '../storage/keys.ts';
import { whenPageIdle } from './idle.ts';

let known: string | undefined;

/** The hash that the `fingerprint` header carries; empty until it is known. No page waits for it. */
export function fingerprint(): string {
  return (known ??= fingerprintKey.get()) ?? '';
}

/** Computes the hash when the phone has nothing better to do, once; on this device only, no third party hears of it. */
export function startFingerprint(): void {
  if (fingerprint()) return;
  whenPageIdle(() => {
    compute().catch(() => {
      // A blocked canvas or a missing chunk: the header stays empty, which every call accepts.
    });
  });
}

async function compute(): Promise<void> {
  const { load } = await import('@fingerprintjs/fingerprintjs');
  // `monitoring` would tell the library's maker about one installation in a thousand.
  const agent = await load({ monitoring: false });
  const { visitorId } = await agent.get();
  known = visitorId;
  fingerprintKey.set(visitorId);
}
