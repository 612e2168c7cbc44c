import * as v from 'valibot';
import type { Wire } from './devtools.ts';

/** The screen and the input of a device, by which a customer uses an engine. */
export interface Device {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly input: 'finger' | 'mouse' | 'remote control';
  /** The platform in the user agent of Chromium; other engines send their own. */
  readonly agent: string;
}

const android = 'Linux; Android 10; K';
export const phone: Device = { name: 'a phone', width: 360, height: 740, input: 'finger', agent: android };
export const tv: Device = {
  name: 'a TV',
  width: 1280,
  height: 720,
  input: 'remote control',
  agent: 'Web0S; Linux/SmartTV',
};

/** Windows of engines that send their own user agent. */
export const windows = {
  wide: { name: 'a desktop', width: 1280, height: 800, input: 'mouse', agent: '' },
  phone: { name: 'a narrow window', width: 400, height: 740, input: 'mouse', agent: '' },
  // The size that WPE opens without a platform.
  small: { name: 'a small window', width: 800, height: 600, input: 'mouse', agent: '' },
} as const satisfies Readonly<Record<string, Device>>;

/** Makes an engine emulate the browser of a device. */
export async function emulate(wire: Wire, { width, height, input, agent }: Device, language: string): Promise<void> {
  const touch = input === 'finger';
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await wire.send(`${domain}.enable`);
  const version = v.parse(v.object({ userAgent: v.string() }), await wire.send('Browser.getVersion'));
  const userAgent = version.userAgent.replace(/\([^)]*\)/, `(${agent})`).replace('Headless', '');
  await wire.send('Network.setUserAgentOverride', { userAgent, acceptLanguage: language });
  await wire.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: touch });
  await wire.send('Emulation.setTouchEmulationEnabled', { enabled: touch, maxTouchPoints: 1 });
  await wire.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await wire.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Sao_Paulo' });
}
