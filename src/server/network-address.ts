import { networkInterfaces } from 'node:os';

/** This machine's IPv4 address in the local network, which a phone beside it can visit; undefined without a network. */
export function networkAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
