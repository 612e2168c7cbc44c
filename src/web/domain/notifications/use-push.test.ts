import { describe, expect, test } from 'vitest';
import { pushSupport, type PushSituation } from './use-push.ts';

const phone: PushSituation = {
  isTv: false,
  hasPush: true,
  isAppleMobile: false,
  isInstalled: false,
  permission: 'default',
};

describe('notifications are offered', () => {
  test('if the browser supports them and has not denied them', () => {
    expect(pushSupport(phone)).toBe('ready');
    expect(pushSupport({ ...phone, permission: 'granted' })).toBe('ready');
  });

  test('never on a TV, and not without browser support', () => {
    expect(pushSupport({ ...phone, isTv: true })).toBe('missing');
    expect(pushSupport({ ...phone, hasPush: false, permission: undefined })).toBe('missing');
  });

  test('with an explanation if the permission was denied', () => {
    expect(pushSupport({ ...phone, permission: 'denied' })).toBe('denied');
  });

  test('on an iPhone with an explanation until the app is installed', () => {
    const iphone = { ...phone, isAppleMobile: true, hasPush: false, permission: undefined };
    expect(pushSupport(iphone)).toBe('install');
    expect(pushSupport({ ...iphone, isInstalled: true })).toBe('missing');
    expect(pushSupport({ ...iphone, isInstalled: true, hasPush: true, permission: 'default' })).toBe('ready');
  });
});
