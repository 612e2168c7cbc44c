import { createListeners, useStore } from '#web/ui/store.ts';
import { themeKey } from '#web/platform/session/storage/theme-key.ts';

/** As the customer wants it on this device, or as the system has it ([Note: Theme]). */
export type Theme = 'system' | 'light' | 'dark';

const { subscribe, tell } = createListeners();
const getTheme = (): Theme => themeKey.get() ?? 'system';

const metas = () => [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];

/** Wears what is stored, also in the colour that the browser gives its bars. */
function wear(): void {
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

/** Keeps the choice for this device, and wears it at once. */
export function setTheme(wanted: Theme): void {
  if (wanted === 'system') themeKey.remove();
  else themeKey.set(wanted);
  wear();
}

/** Goes along with what another tab chooses. */
export function followTheme(): void {
  wear();
  addEventListener('storage', ({ key }) => key === themeKey.key && wear());
}

export function useTheme(): Theme {
  return useStore({ subscribe, get: getTheme }, 'system');
}
