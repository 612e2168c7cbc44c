import { describe, expect, it } from 'vitest';
import { pushEndpoint } from './send-push.ts';

const real = { SANDBOX: false, PUSH_HOSTS: ['push.huawei.example'] };

describe('a message is posted to', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/cX9:APA91bF',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
    'https://web.push.apple.com/QKC4Bq',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD',
    'https://push.huawei.example/1',
  ])('%s', (address) => {
    expect(pushEndpoint(address, real)?.href).toBe(address);
  });
});

describe('no message is posted to', () => {
  it.each([
    ['another host', 'https://elsewhere.example/fcm.googleapis.com'],
    ['a host that only looks like one', 'https://fcm.googleapis.com.elsewhere.example/x'],
    ['a host whose name ends alike', 'https://evilpush.apple.com/x'],
    ['a domain itself', 'https://push.apple.com/x'],
    ['this machine', 'https://localhost/x'],
    ['this machine by number', 'https://127.0.0.1/x'],
    ['the machine’s own cloud', 'http://169.254.169.254/latest/meta-data'],
    ['a private network', 'https://10.0.0.7/x'],
    ['an address of version 6', 'https://[::1]/x'],
    ['a plain connection', 'http://fcm.googleapis.com/x'],
    ['another port', 'https://fcm.googleapis.com:8443/x'],
    ['somebody who brings a password', 'https://a:b@fcm.googleapis.com/x'],
    ['a host behind a name', 'https://fcm.googleapis.com@elsewhere.example/x'],
    ['another scheme', 'file:///etc/passwd'],
    ['the sandbox, where that is off', 'https://shop.example/sandbox/push/browsers/abcdefghijklm'],
    ['what is no address', 'fcm.googleapis.com'],
  ])('%s', (_, address) => {
    expect(pushEndpoint(address, real)).toBeUndefined();
  });

  it('any other address of ours, where the sandbox is on', () => {
    const sandbox = { SANDBOX: true, PUSH_HOSTS: [] };
    expect(pushEndpoint('http://localhost:3000/sandbox/push/browsers/abcdefghijklm', sandbox)).toBeDefined();
    expect(pushEndpoint('http://localhost:3000/sandbox/push/subscribe', sandbox)).toBeUndefined();
    expect(pushEndpoint('http://localhost:3000/metrics', sandbox)).toBeUndefined();
  });
});
