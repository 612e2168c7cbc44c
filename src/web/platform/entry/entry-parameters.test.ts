import { describe, expect, it } from 'vitest';
import { readArrival } from './read-address.ts';
import { safeReturnPath } from './return-path.ts';

const signOn = '?t=secret&a=55&e=ana';
const link = { token: 'secret', accountId: '55', loginId: 'ana' };
const params = (value: unknown) => `?params=${encodeURIComponent(JSON.stringify(value))}`;

describe('arriving by a link', () => {
  it('with device info leads to register, with the link’s parameters', () => {
    expect(readArrival('/pricing-table', '?d=box1&a=55&la=es').redirect).toEqual({
      to: '/register',
      search: { deviceInfo: 'box1', accountId: '55', language: 'es', return: '/pricing-table' },
    });
  });

  it('with device info leads to register even if there is a token, and drops the token', () => {
    const arrival = readArrival('/', `${signOn}&d=box1&user_code=BCDFGHJK`);
    expect(arrival.redirect?.to).toBe('/register');
    expect(arrival.secrets.appToken).toBeUndefined();
  });

  it('with JSON parameters leads to login, with the known and valid ones', () => {
    const arrival = readArrival('/', params({ a: 55, la: 'ru', t: 'secret', junk: 'x', e: { deep: 1 } }));
    expect(arrival.redirect).toEqual({ to: '/login', search: { accountId: '55', language: 'ru', return: '/' } });
    expect(arrival.secrets).toEqual({});
  });

  it('with a token inside the JSON signs on, too', () => {
    expect(readArrival('/', params({ t: 'secret', accountId: 55, e: 'ana' })).secrets).toEqual({ appToken: link });
  });

  it.each([
    signOn,
    '?appToken=secret&accountId=55&loginId=ana',
    '?appToken=secret&a=55&loginId=ana',
    '?e=ana&accountId=55&t=secret',
    '?t=secret&t=other&a=55&a=66&e=ana&loginId=eva',
  ])('with token, account and login id leads to login, however they are spelled: %s', (search) => {
    const arrival = readArrival('/', search);
    expect(arrival.redirect?.to).toBe('/login');
    expect(arrival.secrets).toEqual({ appToken: link });
    expect(JSON.stringify([arrival.redirect, arrival.entry, arrival.search])).not.toContain('secret');
  });

  it('reads the language of any link, by both of its names', () => {
    expect(readArrival('/', `${signOn}&la=es`).entry.language).toBe('es');
    expect(readArrival('/activate', '?language=ru').entry.language).toBe('ru');
    expect(readArrival('/activate', '?language=xx').entry.language).toBeUndefined();
    expect(readArrival('/pricing-table', '?language=es').entry.language).toBe('es');
  });

  it('with two of the three parameters, or on another page, does not redirect, and the token is dropped', () => {
    for (const [path, search] of [
      ['/', '?t=secret&a=55'],
      ['/', '?t=secret'],
      ['/help', signOn],
      ['/404', signOn],
    ] as const) {
      expect(readArrival(path, search).secrets).toEqual({});
      expect(readArrival(path, search).search).not.toContain('secret');
      expect(readArrival(path, search).redirect).toBeUndefined();
    }
    expect(readArrival('/help', '?d=box1').redirect).toBeUndefined();
  });

  it('at login already, stays there and signs on', () => {
    const arrival = readArrival('/login', `${signOn}&return=/orders`);
    expect(arrival).toMatchObject({ secrets: { appToken: link }, search: '?a=55&e=ana&return=%2Forders' });
    expect(arrival.redirect).toBeUndefined();
  });

  it.each([
    '/',
    '/pricing-table',
    '/plan-details/30',
    '/plan',
    '/tokenLogin',
    '/order',
    '/orders',
    '/account',
    '/stb-orders',
    '/stbPayment',
    '/payment',
    '/payment/',
  ])('reads entry parameters on %s', (path) => {
    expect(readArrival(path, '?d=1').redirect?.to).toBe('/register');
    expect(readArrival(path, signOn).redirect?.to).toBe('/login');
    expect(readArrival(path, '?user_code=BCDF-GHJK').redirect?.to).toBe('/device');
    expect(readArrival(path, params({ a: '55' })).redirect?.to).toBe('/login');
  });
});

describe('the way back from there', () => {
  const back = (path: string, search: string) => readArrival(path, search).redirect?.search['return'];

  it.each([
    ['/', signOn, '/'],
    ['/', `${signOn}&p=30`, '/plan-details/30'],
    ['/pricing-table', `${signOn}&id=30-1`, '/plan-details/30-1'],
    ['/plan', `${signOn}&planId=365`, '/plan-details/365'],
    ['/tokenLogin', `${signOn}&p=abc`, '/tokenLogin'],
    ['/plan-details/30', `${signOn}&la=es&x=1`, '/plan-details/30?x=1'],
    ['/order', signOn, '/order'],
    ['/orders', `${signOn}&p=30`, '/orders'],
    ['/payment', `${signOn}&p=30`, '/payment?planId=30'],
    ['/stbPayment', `${signOn}&planId=30&orderId=ABCDEFGH12`, '/stbPayment?planId=30&orderId=ABCDEFGH12'],
    ['/stb-orders', '?user_code=BCDF-GHJK&st=STB', '/stb-orders'],
  ])('of %s%s is %s', (path, search, wanted) => {
    expect(back(path, search)).toBe(wanted);
    expect(safeReturnPath(wanted)).toBe(wanted);
  });

  it('passes the plan to the payment page under the one name that it reads', () => {
    expect(readArrival('/payment', '?p=30&r=BX').search).toBe('?r=BX&planId=30');
    expect(readArrival('/payment', '?planId=30&x=1').search).toBe('?planId=30&x=1');
  });
});

describe('the secrets of a URL', () => {
  it.each(['/resetPassword', '/activate', '/bindEmailConfirmed', '/resendConfirmation'])(
    'include the email token of %s',
    (path) => {
      const token = 'AAAAAAAAAAAAAAAAAAAAAAAA';
      const fromQuery = readArrival(path, `?token=${token}&language=es`);
      expect(fromQuery).toMatchObject({ secrets: { mailToken: token }, search: '?language=es' });
      const fromHash = readArrival(path, '?language=es', `#token=${token}`);
      expect(fromHash).toMatchObject({ secrets: { mailToken: token }, search: '?language=es', hash: '' });
      for (const broken of ['', 'short', `${token}%3E`, 'x'.repeat(129)])
        expect(readArrival(path, `?token=${broken}`)).toMatchObject({ secrets: { mailToken: '' }, search: '' });
      expect(readArrival(path, '?language=es').secrets).toEqual({});
    },
  );

  it.each(['/', '/plan', '/tokenLogin', '/order', '/stbPayment', '/help', '/login', '/device'])(
    'are removed at %s, which does not use the token of an email',
    (path) => {
      expect(readArrival(path, '?token=AAAAAAAAAAAAAAAAAAAAAAAA&x=1', '#token=A')).toMatchObject({
        search: '?x=1',
        hash: '',
        secrets: {},
      });
    },
  );

  it.each([
    '?T=secret',
    '?%54=secret',
    '?t=&T=secret',
    '?APPTOKEN=secret&Token=secret',
    '?User_Code=secret&PARAMS=secret',
  ])('are not left in %s either, however they are spelt, and open nothing', (search) => {
    for (const path of ['/', '/login', '/help', '/resetPassword', '/paymentResult/'].filter(
      (at) => at !== '/paymentResult/' || !/token=/i.test(search.replace(/app/i, '')),
    )) {
      expect(readArrival(path, `${search}&x=1`)).toMatchObject({ search: '?x=1', secrets: {} });
      expect(readArrival(path, '?x=1', `#${search.slice(1)}`)).toMatchObject({ search: '?x=1', hash: '' });
    }
  });

  it('leave the token of a payment result to its page, which removes it', () => {
    expect(readArrival('/paymentResult', '?token=AAAAAAAAAAAAAAAAAAAAAAAA').search).toContain('token=');
  });

  it('take the provider’s answer at login, and only there', () => {
    const answer = '?state=s1&code=c1&scope=email&authuser=0&prompt=none';
    const arrival = readArrival('/login', answer);
    expect(arrival).toMatchObject({ search: '', secrets: { google: { state: 's1', code: 'c1' } } });
    expect(readArrival('/login', '?error=access_denied&state=s1').secrets.google).toMatchObject({
      error: 'access_denied',
    });
    expect(readArrival('/login', '?code=c1')).toMatchObject({ search: '', secrets: {} });
    expect(readArrival('/help', answer).secrets).toEqual({});
  });

  it('accept the code of a TV as customers type it', () => {
    expect(readArrival('/device', '?user_code=bcdf%20ghjk&x=1')).toMatchObject({
      search: '?x=1',
      secrets: { userCode: 'BCDF-GHJK' },
    });
    expect(readArrival('/device', '?user_code=AEIO-1234')).toMatchObject({ search: '', secrets: {} });
    expect(readArrival('/device', '').redirect).toBeUndefined();
  });
});
