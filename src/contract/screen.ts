import type { Scene } from './scene.ts';

/** What a page is looked at on: a TV, from a sofa and by a remote control, or something near. */
export type Screen = 'TV' | 'NEAR';

/** Browsers of TVs, and of sticks and boxes that name themselves. The only such list. */
const tvAgents = [
  // Samsung, LG, Sony, Panasonic, Philips, Hisense, and what Android and broadcasters call one
  /SMART-?TV|Web0S|webOS\.?TV|NetCast|BRAVIA|VIERA|PhilipsTV|VIDAA|Android TV|Google ?TV|HbbTV|CE-HTML|Opera TV|TV Safari/i,
  // sticks and boxes: Chromecast, Apple TV, Roku, Xiaomi, Infomir, Fire TV by its models
  /CrKey|Apple ?TV|\bRoku|\bMi(?:TV|BOX)|\bMAG\d{3}|\bAFT[A-Z]/,
];

/** Whether the browser says that it is one of a TV. */
export function isTvAgent(userAgent: string): boolean {
  return tvAgents.some((pattern) => pattern.test(userAgent));
}

/** What one points with: a finger on the screen, something that hovers above it, or nothing. */
export type Pointing = 'finger' | 'mouse' | 'nothing';

export interface Viewer {
  readonly userAgent: string;
  readonly scene: Scene;
  /** undefined where it cannot be known: on the server */
  readonly pointing?: Pointing | undefined;
}

/**
 * [Note: Look and destination] The screen decides how a page looks, the scene where it leads: a phone that scanned a TV's
 * QR is in the scene of the box and looks like a phone.
 *
 * A browser that calls itself a TV's is believed. Boxes often have a plain Android browser; theirs is a TV where the
 * scene is the box's and nothing touches the screen. The server does not know what touches it and goes by "Mobile",
 * which phones say and boxes mostly do not; the browser then corrects it for a tablet and for a box that does. Without
 * Android, whoever has a mouse sits at a desk.
 *
 * A TV's browser that nobody told more is in the scene of the web (a release id or a source makes it the box's). Once
 * told, a TV stays in it over tabs and restarts, and near screens for one tab only.
 */
export function screenOf({ userAgent, scene, pointing }: Viewer): Screen {
  if (isTvAgent(userAgent)) return 'TV';
  if (scene !== 'STB' || pointing === 'finger') return 'NEAR';
  const isAndroid = /Android/.test(userAgent);
  const isFar = pointing === undefined ? isAndroid && !/Mobile/.test(userAgent) : isAndroid || pointing === 'nothing';
  return isFar ? 'TV' : 'NEAR';
}
