import { late } from '../late.tsx';

/** Loaded late, because an error page must not wait for its picture. */
export const LateStateArt = late(async () => (await import('./state-art.tsx')).StateArt);
