import type { TestApp } from './test-app.ts';

interface DeviceGrantAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** The requests of a TV device: one for its codes, then polls for its token (RFC 8628). */
export interface Box {
  authorize(change?: Record<string, string>): Promise<DeviceGrantAnswer>;
  /** the two codes of a new grant; throws after a refusal */
  codes(change?: Record<string, string>): Promise<{ deviceCode: string; userCode: string }>;
  poll(
    deviceCode: string,
    change?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<DeviceGrantAnswer>;
}

export function aTvDevice({ app }: Pick<TestApp, 'app'>, host = 'localhost', userAgent = 'MarqueeBox/2'): Box {
  const post = async (path: string, form: Record<string, string>, headers = {}): Promise<DeviceGrantAnswer> => {
    const response = await app.request(`http://${host}${path}`, {
      method: 'POST',
      headers: { host, 'user-agent': userAgent, ...headers },
      body: new URLSearchParams(form),
    });
    // as: the tests assert on the raw body
    return {
      status: response.status,
      body: (await response.json()) as DeviceGrantAnswer['body'],
      headers: response.headers,
    };
  };
  const authorize: Box['authorize'] = (change = {}) =>
    post('/oauth/device_authorization', { client_id: 'box', device: 'Xiaomi', model: 'MIBOX4', ...change });
  return {
    authorize,
    codes: async (change) => {
      const { status, body } = await authorize(change);
      if (status !== 200) throw new Error(`refused with ${JSON.stringify(body)}`);
      return { deviceCode: String(body['device_code']), userCode: String(body['user_code']) };
    },
    poll: (deviceCode, change = {}, headers = {}) => {
      const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode };
      return post('/oauth/token', { client_id: 'box', ...grant, ...change }, headers);
    },
  };
}
