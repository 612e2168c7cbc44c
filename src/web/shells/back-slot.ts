import { createStore } from '#web/ui/store.ts';

/**
 * The element before the logo for the back button. It is set after hydration: a portal into server HTML before that
 * would be discarded with the element.
 */
export const backSlot = createStore<Element | null>(null);
