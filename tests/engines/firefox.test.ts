import { buysAndReturns } from './buys-and-returns.ts';
import { windows } from './device.ts';
import { openFirefox } from './firefox.ts';

buysAndReturns({
  name: 'Firefox',
  device: windows.wide,
  open: openFirefox,
  inspect: (engine) => engine.newPage(windows.wide, 'en-US'),
});
