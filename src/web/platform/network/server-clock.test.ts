import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notePageTime, noteServerDate, resetServerClock, serverNow } from './server-clock.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const header = (at: number) => new Date(at).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ now: noon });
  resetServerClock();
});
afterEach(() => void vi.useRealTimers());

describe('the server clock', () => {
  it('is the phone clock until something contradicts it', () => {
    expect(serverNow()).toBe(noon);
    noteServerDate(header(noon), noon, noon + 200);
    expect(serverNow()).toBe(noon);
  });

  it('follows the server where the phone is ten minutes late, to the second', () => {
    noteServerDate(header(noon + 600_000), noon, noon + 200);
    expect(Math.abs(serverNow() - (noon + 600_000))).toBeLessThanOrEqual(1000);
  });

  it('narrows down with every answer and does not jump about', () => {
    for (let at = 0; at < 20; at += 1) {
      const local = noon + at * 330;
      noteServerDate(header(local - 3_600_000), local, local + 20);
    }
    expect(Math.abs(serverNow() - (noon - 3_600_000))).toBeLessThanOrEqual(250);
  });

  it('starts anew when the phone clock was changed', () => {
    noteServerDate(header(noon + 600_000), noon, noon + 100);
    noteServerDate(header(noon), noon, noon + 100);
    expect(serverNow()).toBe(noon);
  });

  it.each([null, '', 'soon', '<b>'])('ignores a date that is none: %s', (date) => {
    noteServerDate(date, noon, noon);
    expect(serverNow()).toBe(noon);
  });

  it('takes from a page only that it is not earlier than the page', () => {
    notePageTime(noon - 86_400_000);
    expect(serverNow()).toBe(noon);
    notePageTime(noon + 60_000);
    expect(serverNow()).toBe(noon + 60_000);
  });
});
