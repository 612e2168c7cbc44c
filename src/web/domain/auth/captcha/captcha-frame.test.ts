import { describe, expect, test } from 'vitest';
import { decodeSiteKey } from './captcha-box.tsx';
import { frameAddress, framePlace, readMessage } from './captcha-frame.ts';

const page = 'https://shop.example';

describe('the site key', () => {
  test('is decoded from base64', () => {
    expect(decodeSiteKey(btoa('6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI'))).toBe(
      '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI',
    );
  });

  test.each([
    ['nothing', ''],
    ['no base64', '%%%'],
    ['too short', btoa('short')],
    ['too long', btoa('a'.repeat(101))],
    ['an address', btoa('https://evil.example/x.js')],
    ['markup', btoa('"><script>alert(1)</script>')],
    ['a further parameter', btoa('a-key-that-fits&render=explicit')],
    ['a line of its own', btoa('a-key-that-fits\n')],
  ])('is undefined if it is %s', (_, encoded) => {
    expect(decodeSiteKey(encoded)).toBeUndefined();
  });
});

describe('the frame', () => {
  test('gets an opaque origin if it is on our origin', () => {
    const own = { sandbox: 'allow-scripts allow-forms allow-popups', origin: 'null' };
    expect(framePlace('/captcha/frame', page)).toEqual(own);
    expect(framePlace('https://shop.example/captcha/frame', page)).toEqual(own);
  });

  test('retains an origin that is not ours', () => {
    expect(framePlace('https://captcha.example/captcha/frame', page)).toEqual({
      sandbox: 'allow-scripts allow-forms allow-popups allow-same-origin',
      origin: 'https://captcha.example',
    });
  });

  test('receives its parameters in the fragment, which no server sees', () => {
    const address = new URL(frameAddress('/captcha/frame', { key: 'a-site-key', page, language: 'pt' }), page);
    expect(address.search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(address.hash.slice(1)))).toEqual({
      key: 'a-site-key',
      parent: page,
      language: 'pt',
    });
  });

  test('accepts a valid message', () => {
    expect(readMessage({ type: 'ready' })).toEqual({ type: 'ready' });
    expect(readMessage({ type: 'size', height: 78 })).toEqual({ type: 'size', height: 78 });
    expect(readMessage({ type: 'token', token: 'x' })).toEqual({ type: 'token', token: 'x' });
  });

  test.each([
    undefined,
    'ready',
    { type: 'go', to: 'https://evil.example' },
    { type: 'size', height: 100_000 },
    { type: 'size', height: -1 },
    { type: 'token', token: '' },
    { type: 'token', token: 'x'.repeat(5000) },
    { type: 'token', token: { toString: 'x' } },
  ])('is not listened to otherwise: %j', (data) => {
    expect(readMessage(data)).toBeUndefined();
  });
});
