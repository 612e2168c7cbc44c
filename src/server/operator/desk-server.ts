import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import * as v from 'valibot';
import { answersTo } from './answers.ts';
import { OperatorError, type OpenedShop } from './command.ts';
import { assertFits, commandNamed, exitCodeOf } from './command-line.ts';
import { commands } from './commands.ts';
import { askingFiles } from './desk-files.ts';
import { callSchema, deskSocket, fileAnswerSchema, hearLines, sendLine, type DeskCall } from './desk-protocol.ts';

const patienceMs = 10_000;
const ownerOnly = 0o177;

/**
 * Listens for commands beside the embedded database ([Note: Desk]). The answer stops it: what has begun gets 10 s to
 * finish. On PostgreSQL nobody listens, because commands work there by themselves.
 */
export async function openDesk(shop: OpenedShop): Promise<() => Promise<void>> {
  const { env, log } = shop.deps;
  if (env.DATABASE_URL !== undefined) return () => Promise.resolve();
  const path = deskSocket(env);
  const running = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => serve(shop, socket, running));
  try {
    if (path === undefined) throw new Error('the path of the data folder is too long for a socket');
    await listen(server, path);
  } catch (error) {
    log.error({ err: error }, 'commands cannot be given while the shop runs');
    return () => Promise.resolve();
  }
  return async () => {
    server.close();
    const tooLong = setTimeout(() => [...running.keys()].forEach((socket) => socket.destroy()), patienceMs);
    await Promise.all(running.values());
    clearTimeout(tooLong);
  };
}

/** The folder is held by this process, so a socket that is there was left behind by one that is gone. */
async function listen(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  const listening = new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject));
  // it is bound at once, and nobody may open it in between
  const before = process.umask(ownerOnly);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await listening;
}

function serve(shop: OpenedShop, socket: Socket, running: Map<Socket, Promise<void>>): void {
  const { files, hear, hangUp } = askingFiles(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', hangUp);
  hearLines(socket, v.union([callSchema, fileAnswerSchema]), (message) => {
    if (!('command' in message)) return hear(message);
    if (running.has(socket)) return void socket.destroy();
    const done = answer(shop, message, socket, files).finally(() => running.delete(socket));
    running.set(socket, done);
  });
}

async function answer(
  shop: OpenedShop,
  { command: name, given, json }: DeskCall,
  socket: Socket,
  files: ReturnType<typeof askingFiles>['files'],
): Promise<void> {
  const { log, env, clock } = shop.deps;
  const print = (line: string) => void sendLine(socket, { print: line });
  const explain = (line: string) => void sendLine(socket, { explain: line });
  const command = commandNamed(commands, name.split(' '));
  if (command === undefined || !('inShop' in command)) {
    explain(`The shop that runs is of another version, which has no ${name}. Start it again.`);
    return hangUpWith(socket, 1);
  }
  const out = { print, explain };
  const exit = await exitCodeOf(command, explain, async () => {
    assertFits(command, given);
    await command.inShop(given, { ...shop, ...out, ...answersTo(out, json), files, settings: env, clock });
  }).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) log.error({ err: error, command: name }, 'a command failed');
    explain(
      `This failed, and the log of the shop says more: ${error instanceof Error ? error.message : String(error)}`,
    );
    return 1;
  });
  return hangUpWith(socket, exit);
}

async function hangUpWith(socket: Socket, exit: number): Promise<void> {
  await sendLine(socket, { exit: exit === 0 ? 0 : exit === 2 ? 2 : 1 });
  await new Promise<void>((done) => (socket.destroyed ? done() : socket.end(done)));
}
