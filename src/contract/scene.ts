import * as v from 'valibot';
import { mobileBreakpointPx } from './limits.ts';

export type ClientType = 'WEB' | 'WAP';

export const sceneSchema = v.picklist(['WEB', 'STB']);
export type Scene = v.InferOutput<typeof sceneSchema>;

/** How the customer arrived (analytics `entrance_way`). */
export type EntranceWay = 'memberSite' | 'mobileGoToWebsite' | 'boxScanQR';

const mobileAgent = /Android|iPhone|iPad|iPod|Mobile|Opera Mini|IEMobile/i;

/** WEB for a desktop browser in a window wider than the breakpoint, else WAP. */
export function clientType(userAgent: string, windowWidth: number): ClientType {
  return !mobileAgent.test(userAgent) && windowWidth > mobileBreakpointPx ? 'WEB' : 'WAP';
}

/** Release IDs of the mobile app start with APP or M; all others come from a TV device. */
const mobileRelease = /^(app|m)/i;

/** Scene and entrance from the release ID and source of a link. */
export function sceneOf(entry: { releaseId?: string | undefined; sourceType?: string | undefined }): {
  scene: Scene;
  entranceWay: EntranceWay;
} {
  const source = entry.sourceType?.toUpperCase();
  if (source === 'STB') return { scene: 'STB', entranceWay: 'boxScanQR' };
  if (source === 'APP' || source === 'MOBILE') return { scene: 'WEB', entranceWay: 'mobileGoToWebsite' };
  if (!entry.releaseId) return { scene: 'WEB', entranceWay: 'memberSite' };
  return mobileRelease.test(entry.releaseId)
    ? { scene: 'WEB', entranceWay: 'mobileGoToWebsite' }
    : { scene: 'STB', entranceWay: 'boxScanQR' };
}
