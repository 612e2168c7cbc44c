import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { smtpMailer } from '#server/messages/mailer.ts';
import { refuseOtherConnections } from '#server/runtime/outbound.ts';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

const mail = { from: 'Shop <no-reply@example.com>', subject: 'Code', text: '1234', html: '<p>1234</p>' };

/** A minimal mail server without TLS that records the commands it receives. */
async function plainServer() {
  const commands: string[] = [];
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
        commands.push(line);
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
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // as: it listens on a TCP port
  const { port } = server.address() as AddressInfo;
  return { commands, port };
}

describe('an email', () => {
  it('is not sent, and neither is the password, to a server without TLS', async () => {
    const { commands, port } = await plainServer();
    // this machine, by an address that is not known to be local
    const mailer = smtpMailer(`smtp://shop:secret@0.0.0.0:${port}`);
    await expect(mailer.send({ ...mail, to: 'ana@example.com' })).rejects.toThrow(/STARTTLS|TLS|Error upgrading/i);
    expect(commands.filter((line) => /^(AUTH|MAIL|RCPT)/.test(line))).toEqual([]);
  });

  it('goes to the one intended address, whatever characters it contains', async () => {
    const { commands, port } = await plainServer();
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    await mailer.send({ ...mail, to: 'ana,victim@example.com' });
    const recipients = commands.filter((line) => line.startsWith('RCPT'));
    expect(recipients).toHaveLength(1);
    expect(recipients[0]).not.toContain('<victim@example.com>');
  });

  it('is sent while the guard refuses other connections, although the library resolves the host name', async () => {
    const { commands, port } = await plainServer();
    const removeGuard = refuseOtherConnections(() => undefined);
    try {
      await smtpMailer(`smtp://localhost:${port}`).send({ ...mail, to: 'ana@example.com' });
    } finally {
      removeGuard();
    }
    expect(commands.some((line) => line.startsWith('RCPT'))).toBe(true);
  });
});
