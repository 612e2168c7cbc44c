import { describe, expect, it } from 'vitest';
import { clientAddress } from './caller.ts';
import { networksOf, readProxies } from './network.ts';

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['::1', '127.0.0.1'],
    ['not an address', 'not an address'],
    // ipaddr.js would read these as IPv4 addresses
    ['::203.0.113.7', '::203.0.113.7'],
    ['127.1', '127.1'],
    ['::ffff:0313.0.113.7', '::ffff:0313.0.113.7'],
  ])('of %s is %s, without a wider one', (address, near) => {
    expect(networksOf(address)).toEqual({ near });
  });

  it.each(['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::', '2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::9%eth0'])(
    'of %s is its /64, and its /48 a wider one',
    (address) => {
      expect(networksOf(address)).toEqual({ near: '2001:db8:1:2::/64', wide: '2001:db8:1::/48' });
    },
  );

  it('of a short address is a network, too', () => {
    expect(networksOf('::2')).toEqual({ near: '0:0:0:0::/64', wide: '0:0:0::/48' });
    expect(networksOf('2001:db8::1')).toEqual({ near: '2001:db8:0:0::/64', wide: '2001:db8:0::/48' });
  });
});

describe('the address of a caller', () => {
  const { proxies } = readProxies(['10.0.0.0/8', '2001:db8:ffff::/48']);
  it.each([
    ['the peer, where that is no proxy, whatever it says', '198.51.100.1', '203.0.113.1', '198.51.100.1'],
    ['what the proxy heard from', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
    [
      'the nearest that is no proxy, not what stands before',
      '10.0.0.1',
      '6.6.6.6, 203.0.113.1, 10.0.0.2',
      '203.0.113.1',
    ],
    ['a proxy itself, when it asks on its own', '10.0.0.1', undefined, '10.0.0.1'],
    ['the farthest of our own, when all are', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the last one that can be read', '10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
    ['read with a port, in brackets, and as IPv6', '2001:db8:ffff::1', '[2001:DB8::5]:4711', '2001:db8::5'],
    ['IPv4, when it is mapped', '10.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
  ])('is %s', (_, peer, forwarded, client) => {
    expect(clientAddress(peer, forwarded, proxies)).toBe(client);
  });
});
