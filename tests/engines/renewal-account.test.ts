/// <reference lib="dom" />
import { describe, expect, it } from 'vitest';
import { startServer } from '#tests/fixtures/server-process.ts';
import { savePicture } from './buys-in.ts';
import { openChromium } from './chromium.ts';
import { phone, windows, type Device } from './device.ts';
import type { Engine } from './engine.ts';
import { openFirefox } from './firefox.ts';
import { driverOf } from './input-drivers.ts';
import { enginesRunHere } from './old-chromium.ts';
import { personAt } from './person.ts';
import { buyByCard, renewByPaypal } from './purchase.ts';
import { openWebKit } from './webkit.ts';

const engines: readonly (readonly [string, Device, () => Promise<Engine>])[] = [
  ['Chromium 90', phone, () => openChromium(90)],
  ['Firefox', windows.wide, openFirefox],
  ['WebKitGTK', windows.phone, () => openWebKit('WebKitGTK')],
];

describe.skipIf(!enginesRunHere)('A customer adds a PayPal account and turns on the renewal', { tags: 'slow' }, () => {
  it.each(engines)('in %s', async (name, device, open) => {
    const [server, engine] = await Promise.all([startServer(), open()]);
    const person = await personAt(engine, device);
    const shopper = { person, driver: driverOf(person, device), origin: server.origin };
    try {
      await buyByCard(shopper);
      await renewByPaypal(shopper);
      expect(person.errors.join('\n'), 'errors in the console').toBe('');
    } catch (error) {
      await savePicture(`renewal-account ${name}`, await person.picture());
      throw error;
    } finally {
      await engine.close();
      await server.dispose();
    }
  });
});
