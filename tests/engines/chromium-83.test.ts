/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enginesRunHere } from './old-chromium.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { openChromium } from './chromium.ts';
import type { Engine } from './engine.ts';
import { phone, tv } from './device.ts';
import { personAt } from './person.ts';

/** Below the floor no script runs, so the HTML of the server has to be sufficient. */
describe.skipIf(!enginesRunHere)('In Chromium 83, which is too old, a customer', () => {
  let server: ServerProcess;
  let engine: Engine;
  beforeAll(async () => {
    [server, engine] = await Promise.all([startServer(), openChromium(83)]);
  });
  afterAll(async () => {
    await engine.close();
    await server.dispose();
  });

  it.each([phone, tv])(
    'reads the plans on $name, follows a link, and gets a QR code for another device',
    async (device) => {
      const person = await personAt(engine, device);
      await person.open(`${server.origin}/pricing-table`);
      await person.see('h1', 'Choose your plan');
      await person.see('.too-old p', 'This browser is too old to buy here');
      const styles = await person.ask(
        () => ({
          // Styled: colours of the brand, cards in a grid, and a code in black on white above the content.
          button: getComputedStyle(document.querySelector('main a[href^="/plan-details/"]') ?? document.body).display,
          grid: getComputedStyle(document.querySelector('main ul') ?? document.body).display,
          font: getComputedStyle(document.querySelector('h1') ?? document.body).fontWeight,
          paper: getComputedStyle(document.querySelector('.too-old svg path') ?? document.body).fill,
          code: document.querySelector('.too-old svg')?.getBoundingClientRect().width ?? 0,
          above:
            (document.querySelector('.too-old')?.getBoundingClientRect().bottom ?? 0) <=
            (document.querySelector('h1')?.getBoundingClientRect().top ?? 0),
          wide: document.documentElement.scrollWidth <= document.documentElement.clientWidth,
          prices: document.querySelector('main ul')?.textContent?.includes('19.90') ?? false,
          alive: 'hydrated' in document.documentElement.dataset,
        }),
        null,
      );
      expect(styles).toMatchObject({ grid: 'grid', font: '700', paper: 'rgb(255, 255, 255)', above: true, wide: true });
      expect(styles).toMatchObject({ prices: true, alive: false });
      expect(styles.code).toBeGreaterThan(150);

      await person.tap('main a[href="/plan-details/101"]');
      await person.at(/^\/plan-details\/101/);
      await person.see('.too-old p', 'Scan the code with a newer phone');
      expect(person.errors.join('\n'), 'errors in the console').toBe('');
      await person.leave();
    },
  );
});
