import { createListeners, useStore } from '#web/ui/store.ts';
import { themeKey } from '#web/platform/session/storage/theme-key.ts';

/** The customer's choice on this device, or the system's setting (`theme-key.ts`). */
export type Theme = 'system' | 'light' | 'dark';

const { subscribe, tell } = createListeners();
const getTheme = (): Theme => themeKey.get() ?? 'system';

const metas = () => [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];

/** Applies the stored theme, also to the colour of the browser's bars. */
function applyTheme(): void {
  const chosen = themeKey.get();
  const root = document.documentElement;
  if (chosen) root.dataset['theme'] = chosen;
  else delete root.dataset['theme'];
  for (const [index, meta] of metas().entries()) {
    const own = index === 0 ? 'light' : 'dark';
    meta.media = chosen === undefined ? `(prefers-color-scheme: ${own})` : chosen === own ? 'all' : 'not all';
  }
  tell();
}

/** Stores the choice for this device and applies it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') themeKey.remove();
  else themeKey.set(theme);
  applyTheme();
}

/** Applies the choice of another tab. */
export function followTheme(): void {
  applyTheme();
  addEventListener('storage', ({ key }) => key === themeKey.key && applyTheme());
}

export function useTheme(): Theme {
  return useStore({ subscribe, get: getTheme }, 'system');
}
