import { late } from '../late.tsx';

/** The art of a page that may be shown before anything else has come: the page stands without it. */
export const LateStateArt = late(async () => (await import('./state-art.tsx')).StateArt);
