import { lazyPart } from '../lazy-part.tsx';

/** Loaded late, because an error page must not wait for its picture. */
export const LateStateArt = lazyPart(() => import('./state-art.tsx').then((part) => part.StateArt));
