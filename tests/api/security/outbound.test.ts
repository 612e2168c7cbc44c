import { once } from 'node:events';
import { createServer as createHttp, get as httpGet, type Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { recaptcha } from '../../../src/server/captcha/recaptcha.ts';
import { smtpMailer } from '../../../src/server/messages/mailer.ts';
import { createLog } from '../../../src/server/process/log.ts';
import { providerFetch, refuseOtherRequests } from '../../../src/server/process/outbound.ts';
import { askProvider } from '../../../src/server/payments/ask-provider.ts';
import { openDiscovery } from '../../../src/server/sign-on/openid-discovery.ts';

const open: (Server | HttpServer)[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listening(server: Server | HttpServer): Promise<number> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a provider that points elsewhere', () => {
  const log = createLog('silent');

  /** A server whose every answer is a redirect to another one; `visited` says who came there. */
  async function pointing() {
    const visited: string[] = [];
    const elsewhere = await listening(
      createHttp((request, response) => {
        visited.push(request.url ?? '');
        response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"success":true}');
      }),
    );
    const port = await listening(
      createHttp((_, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/metadata`, connection: 'close' }).end();
      }),
    );
    return { visited, at: `http://127.0.0.1:${port}` };
  }

  it('is not followed with a payment, and what became of it is unknown', async () => {
    const { visited, at } = await pointing();
    const request = new Request(`${at}/pay`, { method: 'POST', body: '{"card":"4242"}' });
    expect(await askProvider(fetch, request, v.unknown())).toBeUndefined();
    expect(visited).toEqual([]);
  });

  it('is not followed with the answer to a captcha', async () => {
    const { visited, at } = await pointing();
    const provider = recaptcha({
      siteKey: 'a-site-key-of-tests',
      secret: 'a-secret-of-tests',
      script: '/x.js',
      sources: { script: [], frame: [], connect: [] },
      verifyAt: `${at}/verify`,
      send: (request) => fetch(request),
      log,
    });
    await expect(provider.verify('answer', '127.0.0.1')).rejects.toMatchObject({ code: -24040 });
    expect(visited).toEqual([]);
  });

  it('is not followed to the keys of an identity provider', async () => {
    const { visited, at } = await pointing();
    const discover = openDiscovery(fetch, { clock: () => 0, log });
    await expect(discover(at)).rejects.toMatchObject({ code: -24040 });
    expect(visited).toEqual([]);
  });
});

describe('a request to a host that is no configured provider', () => {
  it.each([
    ['fetch', (address: string) => fetch(address)],
    ['node:http', (address: string) => answerOf(address)],
  ])('is refused, counted and never sent by %s', async (_, ask) => {
    const reached: string[] = [];
    const port = await listening(
      createHttp((request, response) => {
        reached.push(request.url ?? '');
        response.end();
      }),
    );
    const hosts: string[] = [];
    const removeGuard = refuseOtherRequests((host) => hosts.push(host));
    try {
      await expect(ask(`http://127.0.0.1:${port}/secret`)).rejects.toThrow('configured providers only');
      expect(hosts).toHaveLength(1);
      expect((await providerFetch(`http://127.0.0.1:${port}/pay`)).status).toBe(200);
    } finally {
      removeGuard();
    }
    expect(reached).toEqual(['/pay']);
  });
});

/** The status of an answer, by the older client of Node. */
function answerOf(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpGet(address, (response) => resolve(response.statusCode ?? 0)).on('error', reject);
  });
}

describe('mail', () => {
  const mail = { from: 'Shop <no-reply@example.com>', subject: 'Code', text: '1234', html: '<p>1234</p>' };

  /** A mail server of a few words that offers no TLS, and writes down what it is told. */
  async function plainServer() {
    const heard: string[] = [];
    const server = createServer((socket) => {
      let data = false;
      socket.write('220 test\r\n');
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
          if (data) {
            if (line === '.') socket.write('250 taken\r\n');
            data = line !== '.';
            continue;
          }
          heard.push(line);
          if (line.startsWith('EHLO')) socket.write('250-test\r\n250 AUTH PLAIN LOGIN\r\n');
          else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n');
          else if (line === 'DATA') {
            data = true;
            socket.write('354 go on\r\n');
          } else if (line === 'QUIT') socket.end('221 bye\r\n');
          else socket.write('250 ok\r\n');
        }
      });
    });
    return { heard, port: await listening(server) };
  }

  it('does not leave, nor does the password of its server, where that server offers no TLS', async () => {
    const { heard, port } = await plainServer();
    // this machine, by an address that is not known to stay inside it
    const mailer = smtpMailer(`smtp://shop:secret@0.0.0.0:${port}`);
    await expect(mailer.send({ ...mail, to: 'ana@example.com' })).rejects.toThrow(/STARTTLS|TLS|Error upgrading/i);
    expect(heard.filter((line) => /^(AUTH|MAIL|RCPT)/.test(line))).toEqual([]);
  });

  it('goes to the one address that was meant, whatever signs are in it', async () => {
    const { heard, port } = await plainServer();
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    await mailer.send({ ...mail, to: 'ana,victim@example.com' });
    const recipients = heard.filter((line) => line.startsWith('RCPT'));
    expect(recipients).toHaveLength(1);
    expect(recipients[0]).not.toContain('<victim@example.com>');
  });
});
