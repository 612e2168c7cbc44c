import { expect, it } from 'vitest';
import { isLoopback, isPrivate } from './caller.ts';

it.each([
  ['127.0.0.1', true, true],
  ['127.9.9.9', true, true],
  ['::1', true, true],
  ['::ffff:127.0.0.1', true, true],
  ['::ffff:7f00:1', true, true],
  ['10.1.2.3', false, true],
  ['172.16.0.1', false, true],
  ['172.31.255.255', false, true],
  ['192.168.1.20', false, true],
  ['169.254.7.7', false, true],
  ['fd12:3456::1', false, true],
  ['fe80::1%eth0', false, true],
  ['::ffff:192.168.1.20', false, true],
  ['172.32.0.1', false, false],
  ['172.15.255.255', false, false],
  ['192.169.0.1', false, false],
  ['11.0.0.1', false, false],
  ['100.64.0.1', false, false],
  ['203.0.113.9', false, false],
  ['::ffff:203.0.113.9', false, false],
  ['2001:db8::1', false, false],
  ['fec0::1', false, false],
  ['::', false, false],
  ['0.0.0.0', false, false],
  ['', false, false],
  ['localhost', false, false],
  ['10.1.2.3, 127.0.0.1', false, false],
])('the address "%s": loopback %s, private %s', (address, own, near) => {
  expect([isLoopback(address), isPrivate(address)]).toEqual([own, near]);
});
