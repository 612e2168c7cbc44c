import type { EntranceWay, Scene } from '#contract/scene.ts';
import { sceneKey, tvSceneKey } from '#web/platform/session/storage/keys.ts';

export interface Entrance {
  readonly scene: Scene;
  readonly entranceWay: EntranceWay;
}

const front: Entrance = { scene: 'WEB', entranceWay: 'memberSite' };
let current: Entrance | undefined;

/**
 * How this tab was entered. Valid for the tab, and on a TV for later tabs too, because a customer who opens a bookmark
 * there does not use the TV's link again. On the server it is the plain web.
 */
export function currentScene(): Entrance {
  if (typeof window === 'undefined') return front;
  return (current ??= sceneKey.get() ?? tvSceneKey.get() ?? front);
}

/** Stores the entrance that a link requests; `correctScreen` then updates the page. */
export function setScene(entrance: Entrance): void {
  current = entrance;
  sceneKey.set(entrance);
}

/**
 * The server chooses a page's layout by the user agent and the scene in the URL. In the TV scene the browser can detect
 * more, and a tab retains its scene.
 */
export async function correctScreen(): Promise<void> {
  const entrance = currentScene();
  if (entrance.scene !== 'STB') return;
  const { showScreen } = await import('./screen.ts');
  showScreen(entrance);
}
