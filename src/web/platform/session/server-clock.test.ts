import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBrowser } from './storage/test-browser.ts';
import { updateServerClock, resetServerClock, serverNow } from './server-clock.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const monthMs = 30 * 86_400_000;
const header = (at: number) => new Date(at).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ now: noon });
  resetServerClock();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the server clock', () => {
  it('is the phone’s clock until an answer contradicts it', () => {
    expect(serverNow()).toBe(noon);
    updateServerClock(header(noon), noon, noon + 200);
    expect(serverNow()).toBe(noon);
  });

  it('follows the server to the second where the phone is ten minutes late', () => {
    updateServerClock(header(noon + 600_000), noon, noon + 200);
    expect(Math.abs(serverNow() - (noon + 600_000))).toBeLessThanOrEqual(1000);
  });

  it('becomes more exact with every answer and does not jump', () => {
    for (let at = 0; at < 20; at += 1) {
      const local = noon + at * 330;
      updateServerClock(header(local - 3_600_000), local, local + 20);
    }
    expect(Math.abs(serverNow() - (noon - 3_600_000))).toBeLessThanOrEqual(250);
  });

  it('starts again when the phone’s clock was changed', () => {
    updateServerClock(header(noon + 600_000), noon, noon + 100);
    updateServerClock(header(noon), noon, noon + 100);
    expect(serverNow()).toBe(noon);
  });

  it.each([null, '', 'soon', '<b>'])('ignores an invalid date: %s', (date) => {
    updateServerClock(date, noon, noon);
    expect(serverNow()).toBe(noon);
  });

  it('is right on the next page before its first answer, where the phone is a month ahead', () => {
    openBrowser();
    updateServerClock(header(noon - monthMs), noon, noon + 200);
    resetServerClock();
    expect(Math.abs(serverNow() - (noon - monthMs))).toBeLessThanOrEqual(1000);
  });

  it('drops the stored offset once the phone’s clock was corrected', () => {
    const { localStorage } = openBrowser();
    updateServerClock(header(noon - monthMs), noon, noon + 200);
    expect(localStorage).toHaveLength(1);
    resetServerClock();
    updateServerClock(header(noon), noon, noon + 200);
    resetServerClock();
    expect(serverNow()).toBe(noon);
    expect(localStorage).toHaveLength(0);
  });

  it.each([
    ['a phone that was a month ahead', -monthMs],
    ['a TV that had started in 1970', noon],
  ])('goes by the clock of %s once it has been put right', (_, offset) => {
    const { localStorage } = openBrowser();
    vi.setSystemTime(noon - offset);
    updateServerClock(header(noon), noon - offset, noon - offset + 200);
    resetServerClock();
    vi.setSystemTime(noon + 60_000);
    expect(serverNow()).toBe(noon + 60_000);
    updateServerClock(header(noon + 60_000), noon + 60_000, noon + 60_200);
    expect(localStorage).toHaveLength(0);
  });

  it('is never earlier than the server’s last date, although a TV starts in 1970 each time', () => {
    openBrowser();
    vi.setSystemTime(600_000);
    updateServerClock(header(noon), 600_000, 600_200);
    resetServerClock();
    vi.setSystemTime(0);
    expect(Math.abs(serverNow() - noon)).toBeLessThanOrEqual(1000);
  });

  it('stores nothing on a phone with a correct clock', () => {
    const { localStorage } = openBrowser();
    for (let at = 0; at < 20; at += 1)
      updateServerClock(header(noon + 330 * at), noon + 330 * at, noon + 330 * at + 90);
    expect(localStorage).toHaveLength(0);
  });
});
