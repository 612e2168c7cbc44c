import { describe, expect, it } from 'vitest';
import type { GrantAnswer, GrantCodes } from '#web/platform/api/device-grant.ts';
import { followGrant, type GrantView } from './phone-sign-in.tsx';

const codes = (name: string): GrantCodes => ({
  device_code: `device ${name}`,
  user_code: name,
  verification_uri: 'https://shop.example/device',
  verification_uri_complete: `https://shop.example/device?user_code=${name}`,
  expires_in: 600,
  interval: 5,
});
const ana = { token: 'a'.repeat(43), uid: 'U1', account: 'ana@example.com' } as never;
const pending: GrantAnswer = { kind: 'error', error: 'authorization_pending' };
const error = (name: string): GrantAnswer => ({ kind: 'error', error: name });
const lost: GrantAnswer = { kind: 'lost' };
const granted: GrantAnswer = { kind: 'granted', user: ana };

/** A TV whose server returns these answers; `given` are the codes that the server issues. */
async function runTv(answers: GrantAnswer[], given: (GrantCodes | undefined)[] = [codes('BBBB-BBBB')]) {
  const waits: number[] = [];
  const shown: string[] = [];
  const asked: string[] = [];
  const left = [...given];
  const script = [...answers];
  const words = ({ codes: on, lost: away, refused }: GrantView) =>
    [on?.user_code ?? 'no code', away && 'lost', refused && 'refused'].filter(Boolean).join(' ');
  const user = await followGrant({
    requestGrantCodes: async () => left.shift(),
    requestGrantSession: async (deviceCode) => {
      asked.push(deviceCode);
      return script.shift() ?? granted;
    },
    wait: async (ms) => void waits.push(ms / 1000),
    show: (now) => void shown.push(words(now)),
    isMounted: () => left.length > 0 || script.length > 0 || asked.length <= answers.length,
  });
  return { user, waits, shown, asked };
}

describe('a TV that waits for a phone', () => {
  it('shows a code, polls every five seconds, and receives the approved customer', async () => {
    const seen = await runTv([pending, pending, granted]);
    expect(seen).toMatchObject({ user: ana, waits: [5, 5, 5], shown: ['BBBB-BBBB'] });
  });

  it('lengthens the interval by five seconds after each slow_down', async () => {
    expect((await runTv([error('slow_down'), pending, error('slow_down'), granted])).waits).toEqual([5, 10, 10, 15]);
  });

  it('shows that it is offline, polls less often, and continues with the same code', async () => {
    const seen = await runTv([lost, lost, lost, lost, lost, pending, granted]);
    expect(seen.waits).toEqual([5, 10, 20, 40, 60, 60, 5]);
    expect(seen.user).toBe(ana);
    expect(seen.shown).toEqual(['BBBB-BBBB', ...Array<string>(5).fill('BBBB-BBBB lost'), 'BBBB-BBBB']);
  });

  it('requests a new code when one has expired or is unknown to the server', async () => {
    const three = ['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD'].map(codes);
    const seen = await runTv([error('expired_token'), error('invalid_grant'), granted], three);
    expect(seen.shown).toEqual(['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD']);
    expect(seen.asked).toEqual(['device BBBB-BBBB', 'device CCCC-CCCC', 'device DDDD-DDDD']);
  });

  it('retries its first code while the server is unreachable', async () => {
    const seen = await runTv([granted], [undefined, undefined, codes('BBBB-BBBB')]);
    expect(seen.shown).toEqual(['no code lost', 'no code lost', 'BBBB-BBBB']);
    expect(seen.waits).toEqual([5, 10, 5]);
  });

  it('stops polling after a refusal', async () => {
    const seen = await runTv([pending, error('access_denied')]);
    expect(seen).toMatchObject({ user: undefined, shown: ['BBBB-BBBB', 'no code refused'] });
    expect(seen.asked).toHaveLength(2);
  });
});
