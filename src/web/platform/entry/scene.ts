import type { EntranceWay, Scene } from '#contract/scene.ts';
import { sceneKey, tvSceneKey } from '#web/platform/session/storage/keys.ts';

export interface Entrance {
  readonly scene: Scene;
  readonly entranceWay: EntranceWay;
}

const front: Entrance = { scene: 'WEB', entranceWay: 'memberSite' };
let current: Entrance | undefined;

/**
 * How this tab was entered. It lasts as long as the tab, and on a TV for as long as there are tabs, because nobody enters
 * a box's link again who opens a bookmark of it; the plain web on the server.
 */
export function currentScene(): Entrance {
  if (typeof window === 'undefined') return front;
  return (current ??= sceneKey.get() ?? tvSceneKey.get() ?? front);
}

/** Notes the way in that a link told; `correctScreen` then shows it, if it shows. */
export function setScene(entrance: Entrance): void {
  current = entrance;
  sceneKey.set(entrance);
}

/**
 * The server gives a page its look by the browser's name and the scene of the address. In the scene of a box the browser
 * knows more, and a tab keeps the scene that it was entered in ([Note: Look and destination]).
 */
export async function correctScreen(): Promise<void> {
  const entrance = currentScene();
  if (entrance.scene !== 'STB') return;
  const { showScreen } = await import('./screen.ts');
  showScreen(entrance);
}
