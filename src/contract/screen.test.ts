import { describe, expect, it } from 'vitest';
import { isTvAgent, screenOf } from './screen.ts';

const agents = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148 Safari/604.1',
  tablet: 'Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
  box: 'Mozilla/5.0 (Linux; Android 12; MX-9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  boxSayingMobile:
    'Mozilla/5.0 (Linux; Android 9; X96; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/87.0 Mobile Safari/537.36',
} as const;

describe('the browser of a TV', () => {
  it.each([
    'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) 85.0.4183.93/6.5 TV Safari/537.36',
    'Mozilla/5.0 (Linux; Tizen 2.3; SmartHub; SMART-TV; SmartTV; U; Maple2012) AppleWebKit/538.1+ TV Safari/538.1+',
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.88 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 11; AFTSSS Build/PS7) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108 like Chrome/108 Safari/537.36',
    'Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0 Safari/537.36 CrKey/1.54',
    'Mozilla/5.0 (Linux; Android 10; SHIELD Android TV) AppleWebKit/537.36 Chrome/99.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; U; VIDAA/6.0; Hisense) AppleWebKit/537.36 Chrome/88.0 HbbTV/1.5.1 (+DRM;Hisense)',
    'Mozilla/5.0 (QtEmbedded; U; Linux; C) AppleWebKit/533.3 (KHTML, like Gecko) MAG254 stbapp ver: 2 Safari/533.3',
  ])('is recognized: %s', (agent) => expect(isTvAgent(agent)).toBe(true));

  it.each([
    ...Object.values(agents),
    '',
    'Mozilla/5.0 (Linux; Tizen 2.3; SAMSUNG SM-Z130H) AppleWebKit/537.3 (KHTML, like Gecko) Version/2.3 Mobile Safari/537.3',
    'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0 Safari/537.36 Minecraft/1',
  ])('is not recognized in another browser: %s', (agent) => expect(isTvAgent(agent)).toBe(false));
});

describe('the screen', () => {
  const tizen = 'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 Chrome/85.0 TV Safari/537.36';
  it.each([
    // a TV's browser, whatever the URL says
    [tizen, 'WEB', undefined, 'TV'],
    [tizen, 'WEB', 'mouse', 'TV'],
    [tizen, 'STB', 'finger', 'TV'],
    // a link of the TV device, opened on a phone or desktop
    [agents.phone, 'STB', undefined, 'NEAR'],
    [agents.phone, 'STB', 'finger', 'NEAR'],
    [agents.iphone, 'STB', undefined, 'NEAR'],
    [agents.iphone, 'STB', 'finger', 'NEAR'],
    [agents.tablet, 'STB', 'finger', 'NEAR'],
    [agents.desktop, 'STB', undefined, 'NEAR'],
    [agents.desktop, 'STB', 'mouse', 'NEAR'],
    // the TV device itself, with a remote control or an air mouse
    [agents.box, 'STB', undefined, 'TV'],
    [agents.box, 'STB', 'nothing', 'TV'],
    [agents.box, 'STB', 'mouse', 'TV'],
    [agents.boxSayingMobile, 'STB', 'nothing', 'TV'],
    [agents.desktop, 'STB', 'nothing', 'TV'],
    // no link of a TV device
    [agents.box, 'WEB', 'nothing', 'NEAR'],
    [agents.desktop, 'WEB', 'mouse', 'NEAR'],
  ] as const)('of %s in scene %s with %s is %s', (userAgent, scene, pointing, screen) =>
    expect(screenOf({ userAgent, scene, pointing })).toBe(screen),
  );
});
