import { screenOf, type PointingDevice } from '#contract/screen.ts';
import { tvSceneKey } from '#web/platform/session/storage/keys.ts';

/** Sets the page's screen type by what the browser reports about itself. */
export function showScreen(entrance: Parameters<typeof tvSceneKey.set>[0]): void {
  const { dataset } = document.documentElement;
  const isTv = screenOf({ userAgent: navigator.userAgent, scene: entrance.scene, pointing: pointing() }) === 'TV';
  if (isTv) dataset.screen = 'TV';
  else delete dataset.screen;
  if (entrance.scene !== 'STB') return;
  // A phone that scanned a TV's code is in the TV scene once; the TV itself is in it always.
  if (isTv) tvSceneKey.set(entrance);
  else tvSceneKey.remove();
}

function pointing(): PointingDevice {
  if (matchMedia('(pointer: coarse)').matches) return 'finger';
  return matchMedia('(hover: hover)').matches ? 'mouse' : 'nothing';
}
