import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Settings } from '#server/env.ts';
import { OperatorError, type CommandContext, type Given } from './command.ts';
import { answeringFiles } from './desk-files.ts';
import { deskSocket, fromShopSchema, hearLines, sendLine } from './desk-protocol.ts';

/** The shop that runs on the embedded database, if it listens ([Note: Desk]). */
export async function connectDesk(settings: Settings): Promise<Socket | undefined> {
  const path = settings.DATABASE_URL === undefined ? deskSocket(settings) : undefined;
  if (path === undefined || !existsSync(path)) return undefined;
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket.removeAllListeners('error')));
    socket.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      // left behind by a shop that runs no longer
      if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(undefined);
      else reject(new OperatorError(`${path} belongs to the shop, and only its user can open it (${error.message}).`));
    });
  });
}

interface Wish {
  readonly command: string;
  readonly given: Given;
  readonly json: boolean;
}

/** Hands a call over and tells what comes back. Answers the exit code. */
export async function askDesk(
  socket: Socket,
  { command, given, json }: Wish,
  { print, explain, files }: Pick<CommandContext, 'print' | 'explain' | 'files'>,
): Promise<number> {
  const { answer, abandon } = answeringFiles(files);
  const known = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  let exit: number | undefined;
  hearLines(socket, fromShopSchema, (message) => {
    if ('print' in message) print(message.print);
    else if ('explain' in message) explain(message.explain);
    else if ('exit' in message) exit = message.exit;
    else void answer(message.ask).then((told) => sendLine(socket, told));
  });
  await sendLine(socket, { command, given: Object.fromEntries(known), json });
  await new Promise<void>((done) => socket.on('error', () => socket.destroy()).on('close', () => done()));
  await abandon();
  if (exit !== undefined) return exit;
  throw new OperatorError('The shop has stopped before it was done. Look at what is there before you ask again.');
}
