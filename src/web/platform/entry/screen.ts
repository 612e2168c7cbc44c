import { screenOf, type Pointing } from '#contract/screen.ts';
import { tvSceneKey } from '#web/platform/session/storage/keys.ts';

/** Gives the page the look of its screen ([Note: Look and destination]), by what the browser knows of itself. */
export function showScreen(entrance: Parameters<typeof tvSceneKey.set>[0]): void {
  const { dataset } = document.documentElement;
  const isTv = screenOf({ userAgent: navigator.userAgent, scene: entrance.scene, pointing: pointing() }) === 'TV';
  if (isTv) dataset.screen = 'TV';
  else delete dataset.screen;
  if (entrance.scene !== 'STB') return;
  // A phone that scanned the code of a box is in its scene once; the box itself always is.
  if (isTv) tvSceneKey.set(entrance);
  else tvSceneKey.remove();
}

function pointing(): Pointing {
  if (matchMedia('(pointer: coarse)').matches) return 'finger';
  return matchMedia('(hover: hover)').matches ? 'mouse' : 'nothing';
}
