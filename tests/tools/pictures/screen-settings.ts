/** How a screenshot is taken: the size of the screen and the settings of its system. */
export interface ScreenSetting {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
  readonly phone: boolean;
  /** the query that a TV device adds to the URL of the shop */
  readonly query: string;
  /** the system replaces all colours by a few of its own (high contrast) */
  readonly forcedColors?: true;
  /** only if it is selected by name */
  readonly rare?: true;
}

const phone = { phone: true, query: '' } as const;
const desktop = { phone: false, query: '' } as const;
const light = { dark: false } as const;
const dark = { dark: true } as const;

export const looks: readonly ScreenSetting[] = [
  { name: '360', width: 360, height: 640, ...light, ...phone },
  { name: '412-dark', width: 412, height: 915, ...dark, ...phone },
  { name: '1280', width: 1280, height: 800, ...light, ...desktop },
  { name: '1920-dark', width: 1920, height: 1080, ...dark, ...desktop },
  { name: 'tv', width: 1280, height: 720, ...dark, phone: false, query: 'releaseId=801' },
  { name: '320', width: 320, height: 640, ...light, ...phone, rare: true },
  { name: '412-large', width: 412, height: 915, ...light, ...phone, rare: true },
  { name: '800', width: 800, height: 1100, ...light, ...desktop, rare: true },
  // WCAG 1.4.10: a window of 1280 by 1024 at 400 %
  { name: 'zoomed', width: 320, height: 256, ...light, ...desktop, rare: true },
  { name: 'forced', width: 360, height: 640, ...dark, ...phone, forcedColors: true, rare: true },
  { name: 'forced-1280', width: 1280, height: 800, ...light, ...desktop, forcedColors: true, rare: true },
];
