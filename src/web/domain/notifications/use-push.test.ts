import { describe, expect, test } from 'vitest';
import { pushSupport, type PushSituation } from './use-push.ts';

const phone: PushSituation = {
  isTv: false,
  hasPush: true,
  isAppleMobile: false,
  isInstalled: false,
  permission: 'default',
};

describe('messages are offered', () => {
  test('where the browser has them, asked about or allowed', () => {
    expect(pushSupport(phone)).toBe('ready');
    expect(pushSupport({ ...phone, permission: 'granted' })).toBe('ready');
  });

  test('never on a TV, and not where the browser has none', () => {
    expect(pushSupport({ ...phone, isTv: true })).toBe('missing');
    expect(pushSupport({ ...phone, hasPush: false, permission: undefined })).toBe('missing');
  });

  test('with a word on what was refused', () => {
    expect(pushSupport({ ...phone, permission: 'denied' })).toBe('denied');
  });

  test('on an iPhone with a word on installing first, and as everywhere once that is done', () => {
    const iphone = { ...phone, isAppleMobile: true, hasPush: false, permission: undefined };
    expect(pushSupport(iphone)).toBe('install');
    expect(pushSupport({ ...iphone, isInstalled: true })).toBe('missing');
    expect(pushSupport({ ...iphone, isInstalled: true, hasPush: true, permission: 'default' })).toBe('ready');
  });
});
