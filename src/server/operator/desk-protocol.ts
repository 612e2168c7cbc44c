import type { Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import type { Settings } from '#server/env.ts';

/**
 * [Note: Desk] The embedded database belongs to one process, so a command is done by the process that has it. The shop
 * listens at a Unix socket in its data folder, which only the owner of the process can open and no network reaches; the
 * command line notices it and hands its call over. Commands are the same code in both places.
 *
 * Both sides write lines of JSON. A connection is one call: its first line is the command's name and what was given,
 * which are read again by the command's own table of options. The shop answers with lines to print, with questions about
 * files where the command was given, since the shop may be forbidden to see them, and at last with the exit code. Who
 * hangs up has asked all the same: what had begun is finished.
 */
export const callSchema = v.strictObject({
  command: v.string(),
  given: v.record(v.string(), v.string()),
  json: v.boolean(),
});
export type DeskCall = v.InferOutput<typeof callSchema>;

/** What the shop asks of the files of the caller; bytes are base64. */
export const fileQuestionSchema = v.variant('do', [
  v.strictObject({ do: v.literal('read'), path: v.string() }),
  v.strictObject({ do: v.literal('names'), path: v.string() }),
  v.strictObject({ do: v.literal('create'), path: v.string() }),
  v.strictObject({ do: v.literal('write'), content: v.string() }),
  v.strictObject({ do: v.literal('finish') }),
]);
export type FileQuestion = v.InferOutput<typeof fileQuestionSchema>;

export const fromShopSchema = v.union([
  v.strictObject({ print: v.string() }),
  v.strictObject({ explain: v.string() }),
  v.strictObject({ ask: fileQuestionSchema }),
  v.strictObject({ exit: v.picklist([0, 1, 2]) }),
]);
export type FromShop = v.InferOutput<typeof fromShopSchema>;

/** The answer to the one question that is open. */
export const fileAnswerSchema = v.union([
  v.strictObject({ content: v.string() }),
  v.strictObject({ names: v.array(v.string()) }),
  v.strictObject({ bytes: v.number() }),
  v.strictObject({ refused: v.string() }),
]);
export type FileAnswer = v.InferOutput<typeof fileAnswerSchema>;

/** What the system takes as the address of a socket, in bytes: 104 on macOS, 108 on Linux, with a zero at the end. */
const mostPathBytes = 103;

/** Where the shop listens; undefined where the path would be too long. */
export function deskSocket({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string | undefined {
  const path = join(resolve(DATA_DIR), 'desk.sock');
  return [path, relative(process.cwd(), path)].find((one) => Buffer.byteLength(one) <= mostPathBytes);
}

/** Hands each line to `hear`, parsed; a line that does not fit ends the connection. */
export function hearLines<Schema extends v.GenericSchema>(
  socket: Socket,
  schema: Schema,
  hear: (message: v.InferOutput<Schema>) => void,
): void {
  const line = v.pipe(v.string(), v.parseJson(), schema);
  createInterface({ input: socket, crlfDelay: Infinity }).on('line', (text) => {
    const parsed = v.safeParse(line, text);
    if (parsed.success) hear(parsed.output);
    else socket.destroy();
  });
}

/** Writes a line; resolves when there is room for the next one. Nobody may be there to read it. */
export async function sendLine(socket: Socket, message: DeskCall | FromShop | FileAnswer): Promise<void> {
  if (!socket.writable) return;
  const hasRoom = socket.write(`${JSON.stringify(message)}\n`);
  if (hasRoom) return;
  await new Promise<void>((done) => {
    const go = () => {
      socket.off('drain', go).off('close', go);
      done();
    };
    socket.on('drain', go).on('close', go);
  });
}
