import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRandCode, siteKey, siteVerify } from '../../src/contract/index.ts';
import { passCaptcha } from '../../src/server/captcha/ticket.ts';
import { captchas } from '../../src/server/db/schema.ts';
import { systemRandom } from '../../src/server/random.ts';
import { testApp, type TestApp } from '../builders/test-app.ts';

let shop: TestApp;
/** the letters of every picture that was drawn, as its beholder reads them */
const seen: string[] = [];
beforeAll(async () => {
  const reading = (alphabet: string, length: number) => {
    const text = systemRandom.text(alphabet, length);
    if (/[A-Z]/.test(alphabet)) seen.push(text);
    return text;
  };
  shop = await testApp({ deps: () => ({ random: { ...systemRandom, text: reading } }) });
});
afterAll(() => shop.close());
// past every window of the limits
beforeEach(() => shop.clock.advance(3_600_000));

const mego = { host: 'mego.localhost' };
const ask = async (kind: 'picture' | 'work') => (await shop.request(createRandCode, { body: { kind } })).data;
const pass = (captchaId: string, captcha: string, brand = 'lumen') =>
  passCaptcha(shop.deps, brand, { captchaId, captcha });

async function picture() {
  const { captchaId, ...rest } = await ask('picture');
  return { captchaId, letters: seen.at(-1) ?? '', ...rest };
}

describe('the picture', () => {
  it('is passed by its letters, once', async () => {
    const { captchaId, letters } = await picture();
    expect(letters).toMatch(/^[A-Z0-9]{5}$/);
    expect(await pass(captchaId, letters)).toBe(true);
    expect(await pass(captchaId, letters)).toBe(false);
  });

  it('is passed in small letters and with spaces, as people type', async () => {
    const { captchaId, letters } = await picture();
    expect(await pass(captchaId, ` ${letters.toLowerCase().split('').join(' ')}`)).toBe(true);
  });

  it('is gone after a wrong answer, so that nobody tries again and again', async () => {
    const { captchaId, letters } = await picture();
    expect(await pass(captchaId, 'WRONG')).toBe(false);
    expect(await pass(captchaId, letters)).toBe(false);
  });

  it('is good for five minutes', async () => {
    const first = await picture();
    expect(first.expiresAt).toBe(shop.clock.now + 300_000);
    shop.clock.advance(299_999);
    expect(await pass(first.captchaId, first.letters)).toBe(true);
    const second = await picture();
    shop.clock.advance(300_000);
    expect(await pass(second.captchaId, second.letters)).toBe(false);
  });

  it('of one brand opens nothing at another, and stays good at its own', async () => {
    const { captchaId, letters } = await picture();
    expect(await pass(captchaId, letters, 'mego')).toBe(false);
    expect(await pass(captchaId, letters)).toBe(true);
  });

  it('is asked for by whoever sends nothing, or nonsense', async () => {
    expect(await passCaptcha(shop.deps, 'lumen', {})).toBe(false);
    for (const id of ['', 'short', '\0'.repeat(20), "'; drop table captchas; --"])
      expect(await pass(id, 'X')).toBe(false);
  });

  it('is one drawing that holds its letters neither as text nor as elements of their own', async () => {
    const drawn = await ask('picture');
    if (drawn.kind !== 'picture') throw new Error('asked for a picture');
    const svg = Buffer.from(drawn.image, 'base64').toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg.match(/<(\w+)/g)).toEqual(['<svg', '<rect', '<path']);
    expect(svg).not.toContain('NaN');
    expect(drawn.image).not.toContain(seen.at(-1));
  });

  it('keeps its answer nowhere in the clear', async () => {
    const { letters, captchaId } = await picture();
    const rows = JSON.stringify(await shop.db.select().from(captchas));
    expect(rows).toContain(captchaId);
    expect(rows).not.toContain(letters);
  });
});

function solve({ salt, challenge, max }: { salt: string; challenge: string; max: number }): string {
  for (let number = 0; number <= max; number += 1) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge) return String(number);
  }
  throw new Error('the puzzle has no solution');
}

describe('for whoever cannot see the picture', () => {
  it('the number that a device finds is an answer, once', async () => {
    const work = await ask('work');
    if (work.kind !== 'work') throw new Error('asked for work');
    expect(work.max).toBe(99_999);
    const number = solve(work);
    expect(await pass(work.captchaId, number)).toBe(true);
    expect(await pass(work.captchaId, number)).toBe(false);
  });

  it('an address that asks for many gets harder ones', async () => {
    const sizes: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const work = await ask('work');
      if (work.kind === 'work') sizes.push(work.max);
    }
    expect(sizes).toEqual([...Array.from({ length: 10 }, () => 99_999), 999_999]);
  });
});

describe('asking for captchas', () => {
  it('ends after sixty in ten minutes, and tells how long to wait', async () => {
    for (let count = 0; count < 60; count += 1) await ask('picture');
    shop.clock.advance(60_000);
    const { errCode, params, status } = await shop.request(createRandCode, { body: { kind: 'picture' } });
    expect({ errCode, params, status }).toEqual({ errCode: -3031, params: { waitSeconds: 540 }, status: 429 });
    expect((await shop.request(createRandCode, { body: { kind: 'picture' } }, mego)).code).toBe(0);
    shop.clock.advance(540_000);
    expect((await shop.request(createRandCode, { body: { kind: 'picture' } })).code).toBe(0);
  });
});

describe('a shop without a script captcha', () => {
  it('has no key, no frame, and nothing to verify', async () => {
    expect((await shop.request(siteKey, {})).data).toEqual({ key: '', frame: '' });
    const answer = await shop.request(siteVerify, { body: { token: 'anything', language: 'pt' } });
    expect(answer).toMatchObject({ errCode: -3036, status: 404 });
    expect((await shop.app.request('http://localhost/captcha/frame')).status).toBe(404);
    expect((await shop.app.request('http://localhost/sandbox/captcha/api.js')).status).not.toBe(200);
  });
});
