import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '#tests/fixtures/free-port.ts';
import { root } from '#tests/fixtures/source-tree.ts';
import { ownedFile, ownedFolder, startProgram, until, type Endings } from './programs.ts';

/**
 * HAProxy in front of the processes of a shop, with the shipped settings without TLS. What the shop's pages of the
 * simulated providers are asked for is sent to `bank`, where the payments are. Returns its port.
 */
export function startWebBalancer(endings: Endings, shops: readonly number[], bank: number): Promise<number> {
  const toBank = `\tuse_backend bank if { path_beg /sandbox/ }\nbackend bank\n\tmode http\n\tserver bank 127.0.0.1:${bank}\n\n`;
  return startBalancer(endings, (shipped, port) =>
    sectionsOf(shipped, /^(global|defaults|frontend web|backend shop)/)
      .replace(
        /\tbind :80\n\tbind :443.*\n(?:\t(?:#|http-request (?:deny|redirect)).*\n)+/,
        `\tbind 127.0.0.1:${port}\n`,
      )
      .replace('X-Forwarded-Proto https', 'X-Forwarded-Proto http')
      .replace('\tdefault_backend shop\n', `\tdefault_backend shop\n${toBank}`)
      .replace('hdr Host shop.example.com', 'hdr Host localhost')
      .replaceAll('10.0.0.11:3000', `127.0.0.1:${shops[0]}`)
      .replaceAll('10.0.0.12:3000', `127.0.0.1:${shops[1]}`),
  );
}

interface Server {
  readonly port: number;
  readonly restPort: number;
}

/** The address that moves with the primary of Patroni, with the shipped settings; returns its port. */
export function startPrimaryAddress(endings: Endings, members: readonly Server[]): Promise<number> {
  return startBalancer(endings, (shipped, port) => {
    const listener = sectionsOf(shipped, /^(global|defaults|listen primary)/).replace(':6432', `:${port}`);
    return members.reduce(
      (text, member, index) =>
        text.replace(
          `10.0.0.2${index + 1}:5432 check port 8008`,
          `127.0.0.1:${member.port} check port ${member.restPort}`,
        ),
      listener,
    );
  });
}

/** The sections of the shipped file whose first line matches. */
function sectionsOf(shipped: string, heading: RegExp): string {
  return shipped
    .split(/^(?=\w)/m)
    .filter((section) => heading.test(section))
    .join('');
}

type Write = (shipped: string, port: number) => string;

/** Returns its port. */
async function startBalancer(endings: Endings, write: Write): Promise<number> {
  const folder = ownedFolder('haproxy');
  endings.defer(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const shipped = readFileSync(join(root, '.deploy/haproxy.cfg'), 'utf8');
  const file = ownedFile(join(folder, 'haproxy.cfg'), write(shipped, port));
  const haproxy = startProgram('/usr/sbin/haproxy', ['-db', '-f', file]);
  endings.defer(() => haproxy.stop());
  await until(() => listens(port), 'HAProxy listens', 10_000).catch((cause: unknown) => {
    throw new Error(`HAProxy refuses its settings:\n${haproxy.output()}`, { cause });
  });
  return port;
}

/** Whether the port accepts a connection. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', () => end(true)).on('error', () => end(false));
  });
}
