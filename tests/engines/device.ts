import * as v from 'valibot';
import type { Wire } from './devtools.ts';

/** The device in somebody's hands, or before their sofa. */
export interface Device {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly touch: boolean;
  /** what its browser adds to the name of Chromium */
  readonly agent: string;
}

export const phone: Device = { name: 'a phone', width: 360, height: 740, touch: true, agent: 'Linux; Android 10; K' };
export const tv: Device = { name: 'a TV', width: 1280, height: 720, touch: false, agent: 'Web0S; Linux/SmartTV' };

/** Makes an engine the browser of a device. */
export async function emulate(wire: Wire, { width, height, touch, agent }: Device, language: string): Promise<void> {
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await wire.send(`${domain}.enable`);
  const version = v.parse(v.object({ userAgent: v.string() }), await wire.send('Browser.getVersion'));
  const userAgent = version.userAgent.replace(/\([^)]*\)/, `(${agent})`).replace('Headless', '');
  await wire.send('Network.setUserAgentOverride', { userAgent, acceptLanguage: language });
  await wire.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: touch });
  await wire.send('Emulation.setTouchEmulationEnabled', { enabled: touch, maxTouchPoints: 1 });
  await wire.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await wire.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Sao_Paulo' });
}
