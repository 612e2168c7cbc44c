import { describe, expect, it } from 'vitest';
import { clientType, sceneOf } from './scene.ts';

const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36';
const phone = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36';

describe('the client type', () => {
  it.each([
    [desktop, 1280, 'WEB'],
    [desktop, 761, 'WEB'],
    [desktop, 760, 'WAP'],
    [desktop, 320, 'WAP'],
    [phone, 1280, 'WAP'],
    [phone, 390, 'WAP'],
    ['Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)', 1024, 'WAP'],
  ])('of %s at %i px is %s', (agent, width, type) => expect(clientType(agent, width)).toBe(type));
});

describe('scene and entrance', () => {
  const site = { scene: 'WEB', entranceWay: 'memberSite' };
  const app = { scene: 'WEB', entranceWay: 'mobileGoToWebsite' };
  const box = { scene: 'STB', entranceWay: 'boxScanQR' };
  it.each([
    [{}, site],
    [{ sourceType: 'newsletter' }, site],
    [{ releaseId: '' }, site],
    [{ sourceType: 'STB' }, box],
    [{ sourceType: 'stb', releaseId: 'APP-1' }, box],
    [{ releaseId: '10210' }, box],
    [{ sourceType: 'mobile', releaseId: '10210' }, app],
    [{ sourceType: 'APP' }, app],
    [{ releaseId: 'APP-2.1' }, app],
    [{ releaseId: 'm7' }, app],
  ])('of %j are %j', (entry, expected) => expect(sceneOf(entry)).toEqual(expected));
});
