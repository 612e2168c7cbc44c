import { buysAndReturns } from './buys-and-returns.ts';
import { windows } from './device.ts';
import { openInspected } from './inspector.ts';
import { openWebKit } from './webkit.ts';

buysAndReturns({
  name: 'WebKitGTK',
  device: windows.phone,
  open: () => openWebKit('WebKitGTK'),
  inspect: () => openInspected('WebKitGTK'),
});
