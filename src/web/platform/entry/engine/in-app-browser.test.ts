import { describe, expect, it } from 'vitest';
import { isInAppBrowser } from './in-app-browser.ts';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android =
  'Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = 'Chrome/131.0.0.0 Mobile Safari/537.36';

describe('a page is shown inside another app', () => {
  it.each([
    ['Instagram on an iPhone', `${iphone} Mobile/22B83 Instagram 358.0.0.33.87 (iPhone14,5; iOS 18_1; en_US)`],
    ['Instagram on Android', `${android} Version/4.0 ${chrome} Instagram 358.0.0.51.87 Android (34/14; 480dpi)`],
    ['Facebook on an iPhone', `${iphone} Mobile/22B83 [FBAN/FBIOS;FBAV/490.0.0.37.110;FBDV/iPhone14,5]`],
    ['Facebook on Android', `${android} Version/4.0 ${chrome} [FB_IAB/FB4A;FBAV/490.0.0.44.109;]`],
    ['WeChat on an iPhone', `${iphone} Mobile/22B83 MicroMessenger/8.0.54(0x18003626) NetType/WIFI Language/en`],
    ['WeChat on Android', `${android} Version/4.0 ${chrome} XWEB/1300289 MMWEBSDK/20241103 MicroMessenger/8.0.55.2780`],
    ['Telegram on Android', `${android} Version/4.0 ${chrome} Telegram-Android/11.4.2 (Samsung SM-S918B; Android 14)`],
    ['Telegram on an iPhone', `${iphone} Mobile/15E148 Telegram-iOS/11.4`],
    ['Line on an iPhone', `${iphone} Mobile/22B83 Safari Line/14.19.1`],
    ['Line on Android', `${android} Version/4.0 ${chrome} Line/14.19.1/IAB`],
    ['TikTok on an iPhone', `${iphone} Mobile/22B83 musical_ly_37.2.0 JsSdk/2.0 BytedanceWebview/d8a21c6`],
    // github.com/hyunbinseo/blog, posts/ko/in-app-user-agent.md
    [
      'NAVER on an iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/605.1 NAVER(inapp; search; 1010; 11.24.5; 12PRO)',
    ],
    [
      'NAVER on Android',
      'Mozilla/5.0 (Linux; Android 13; SM-X706N Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/102.0.5005.189 Whale/1.0.0.0 Crosswalk/27.102.0.21 Safari/537.36 NAVER(inapp; search; 1010; 11.24.6)',
    ],
    [
      'KakaoTalk on Android',
      'Mozilla/5.0 (Linux; Android 13; SM-X706N Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/115.0.5790.138 Safari/537.36;KAKAOTALK 2410310',
    ],
    [
      'WeChat on Android, by the engine of the QQ browser',
      `${android} Version/4.0 Chrome/107.0.5304.141 MQQBrowser/6.2 TBS/046247 Mobile Safari/537.36 MicroMessenger/8.0.27.2220`,
    ],
    ['a web view of Android', `${android} Version/4.0 ${chrome}`],
    ['a web view of an iPhone', `${iphone} Mobile/15E148`],
  ])('%s', (_, userAgent) => expect(isInAppBrowser(userAgent)).toBe(true));
});

describe('a page is shown in a browser', () => {
  it.each([
    ['Safari on an iPhone', `${iphone} Version/18.1 Mobile/15E148 Safari/604.1`],
    ['Chrome on an iPhone', `${iphone} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
    ['Firefox on an iPhone', `${iphone} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
    [
      'Safari on a Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    ],
    ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome}`],
    [
      'Samsung Internet',
      `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 ${chrome}`,
    ],
    [
      'the browser of Xiaomi',
      'Mozilla/5.0 (Linux; U; Android 14; zh-cn; 23013RK75C Build/UKQ1.230804.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/119.0.6045.193 Mobile Safari/537.36 XiaoMi/MiuiBrowser/18.6.70920',
    ],
    [
      'the browser of Xiaomi outside of China',
      'Mozilla/5.0 (Linux; U; Android 9; ar-eg; Redmi 7 Build/PKQ1.181021.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/71.0.3578.141 Mobile Safari/537.36 XiaoMi/MiuiBrowser/12.8.3-gn',
    ],
    [
      'the browser of Oppo',
      'Mozilla/5.0 (Linux; U; Android 11; zh-cn; PDRM00 Build/RKQ1.200903.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/70.0.3538.80 Mobile Safari/537.36 HeyTapBrowser/40.7.27.2',
    ],
    [
      'the browser of Vivo',
      'Mozilla/5.0 (Linux; Android 14; V2314A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/87.0.4280.141 Mobile Safari/537.36 VivoBrowser/19.3.1.0',
    ],
    [
      'UC Browser',
      'Mozilla/5.0 (Linux; U; Android 13; ar-SA; SM-A536B Build/TP1A.220624.014) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.4.0.1306 Mobile Safari/537.36',
    ],
    [
      'QQ Browser',
      'Mozilla/5.0 (Linux; U; Android 8.0.0; zh-cn; EVA-AL10 Build/HUAWEIEVA-AL10) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/57.0.2987.132 MQQBrowser/8.9 Mobile Safari/537.36',
    ],
    [
      'Huawei Browser',
      'Mozilla/5.0 (Linux; Android 10; ELS-NX9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/103.0.5060.129 HuaweiBrowser/13.0.5.303 Mobile Safari/537.36',
    ],
    ['Firefox on Android', 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0'],
    [
      'Edge on Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    ],
    [
      'the browser of a TV of LG',
      'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.88 Safari/537.36 WebAppManager',
    ],
    [
      'the browser of a TV of Samsung',
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/7.0 TV Safari/537.36',
    ],
  ])('%s', (_, userAgent) => expect(isInAppBrowser(userAgent)).toBe(false));

  it('on the home screen of an iPhone, whose user agent is that of a web view', () => {
    expect(isInAppBrowser(`${iphone} Mobile/15E148`, true)).toBe(false);
  });
});
