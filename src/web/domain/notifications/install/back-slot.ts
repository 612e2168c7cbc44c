import { createStore } from '#web/ui/store.ts';

/**
 * The place before the logo for the way back. React tells of it once it is its own: what is put into the server's HTML
 * before that is foreign to the page that comes to life around it, and is thrown away with its place.
 */
export const backSlot = createStore<Element | null>(null);
