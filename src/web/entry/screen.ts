import { screenOf, type Pointing } from '../../contract/screen.ts';
import { currentScene } from './scene.ts';

/** Gives the page the look of its screen ([Note: Look and destination]), by what the browser knows of itself. */
export function showScreen(): void {
  const { dataset } = document.documentElement;
  const { userAgent } = navigator;
  if (screenOf({ userAgent, scene: currentScene().scene, pointing: pointing() }) === 'TV') dataset.screen = 'TV';
  else delete dataset.screen;
}

function pointing(): Pointing {
  if (matchMedia('(pointer: coarse)').matches) return 'finger';
  return matchMedia('(hover: hover)').matches ? 'mouse' : 'nothing';
}
