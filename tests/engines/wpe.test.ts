import { buysAndReturns } from './buys-and-returns.ts';
import { windows } from './device.ts';
import { openInspected } from './inspector.ts';
import { openWebKit } from './webkit.ts';

buysAndReturns({
  name: 'WPE WebKit',
  device: windows.small,
  open: () => openWebKit('WPE WebKit'),
  inspect: () => openInspected('WPE WebKit'),
});
