import type { Scene } from './scene.ts';

/** The viewing distance: a TV from a sofa with a remote control, or a near screen. */
export type Screen = 'TV' | 'NEAR';

/** Browsers of TVs, and of sticks and boxes that identify themselves. The only such list. */
const tvAgents = [
  // Samsung, LG, Sony, Panasonic, Philips, Hisense, and the generic names of Android and broadcasters
  /SMART-?TV|Web0S|webOS\.?TV|NetCast|BRAVIA|VIERA|PhilipsTV|VIDAA|Android TV|Google ?TV|HbbTV|CE-HTML|Opera TV|TV Safari/i,
  // sticks and boxes: Chromecast, Apple TV, Roku, Xiaomi, Infomir, Fire TV by its models
  /CrKey|Apple ?TV|\bRoku|\bMi(?:TV|BOX)|\bMAG\d{3}|\bAFT[A-Z]/,
];

/** Whether the browser identifies itself as a TV's. */
export function isTvAgent(userAgent: string): boolean {
  return tvAgents.some((pattern) => pattern.test(userAgent));
}

/** The pointing device: a finger, something that hovers, or none. */
export type PointingDevice = 'finger' | 'mouse' | 'nothing';

interface ScreenInput {
  readonly userAgent: string;
  readonly scene: Scene;
  /** undefined on the server, which cannot know it */
  readonly pointing?: PointingDevice | undefined;
}

/**
 * The screen decides the layout, the scene where links lead: a phone that scanned a TV's QR is in the scene `STB` and
 * has the layout of a phone.
 *
 * A TV's user agent is trusted. TV devices often have a plain Android browser: they are a TV if the scene is `STB` and
 * there is no touch screen. The server cannot know that and relies on "Mobile", which phones send and most TV devices
 * do not; the browser corrects tablets and exceptions. Without Android, a mouse means a desktop.
 *
 * A TV's browser without release ID or source is in the scene `WEB`. A TV stores its scene across restarts, other
 * screens for one tab only.
 */
export function screenOf({ userAgent, scene, pointing }: ScreenInput): Screen {
  if (isTvAgent(userAgent)) return 'TV';
  if (scene !== 'STB' || pointing === 'finger') return 'NEAR';
  const isAndroid = /Android/.test(userAgent);
  const isFar = pointing === undefined ? isAndroid && !/Mobile/.test(userAgent) : isAndroid || pointing === 'nothing';
  return isFar ? 'TV' : 'NEAR';
}
