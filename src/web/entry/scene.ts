import type { EntranceWay, Scene } from '../../contract/scene.ts';
import { sceneKey } from '../storage/keys.ts';

export interface Entrance {
  readonly scene: Scene;
  readonly entranceWay: EntranceWay;
}

const front: Entrance = { scene: 'WEB', entranceWay: 'memberSite' };
let current: Entrance | undefined;

/** How this tab was entered. It lasts as long as the tab; the plain web on the server. */
export function currentScene(): Entrance {
  if (typeof window === 'undefined') return front;
  return (current ??= sceneKey.get() ?? front);
}

/** Notes the way in that a link told, and takes on its looks. */
export function enterScene(entrance: Entrance): void {
  current = entrance;
  sceneKey.set(entrance);
  showScene();
}

/** The server draws the scene that the address tells; a tab keeps the one that it was entered in. */
export function showScene(): void {
  if (typeof document === 'undefined') return;
  const { dataset } = document.documentElement;
  if (currentScene().scene === 'STB') dataset.scene = 'STB';
  else delete dataset.scene;
}
