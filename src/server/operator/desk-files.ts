import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { CallerFiles } from './caller-files.ts';
import { OperatorError } from './command.ts';
import { sendLine, type FileAnswer, type FileQuestion } from './desk-protocol.ts';

const pieceBytes = 256 * 1024;
const toBytes = (text: string) => Buffer.from(text, 'base64');
const toText = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

interface AskingFiles {
  readonly files: CallerFiles;
  /** takes the answer to the question that is open */
  hear(answer: FileAnswer): void;
  /** the caller is gone, and answers nothing more */
  hangUp(): void;
}

/** The files of the one at the other end of a socket, asked about one question after the other. */
export function askingFiles(socket: Socket): AskingFiles {
  let waiting: { heard(answer: FileAnswer): void; failed(error: Error): void } | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const gone = () => new OperatorError('Whoever gave this command has hung up.');
  const askNow = (question: FileQuestion) =>
    new Promise<FileAnswer>((heard, failed) => {
      if (socket.destroyed) return failed(gone());
      waiting = { heard, failed };
      void sendLine(socket, { ask: question });
    }).finally(() => (waiting = undefined));
  const ask = async (question: FileQuestion): Promise<FileAnswer> => {
    const asked = turn.then(() => askNow(question));
    turn = asked.catch(() => undefined);
    const answer = await asked;
    if ('refused' in answer) throw new OperatorError(answer.refused);
    return answer;
  };
  return {
    hear: (answer) => waiting?.heard(answer),
    hangUp: () => waiting?.failed(gone()),
    files: filesBy(ask),
  };
}

/** The port, said in questions. */
function filesBy(ask: (question: FileQuestion) => Promise<FileAnswer>): CallerFiles {
  return {
    read: async (path) => {
      const answer = await ask({ do: 'read', path });
      return 'content' in answer ? toBytes(answer.content) : new Uint8Array();
    },
    names: async (path) => {
      const answer = await ask({ do: 'names', path });
      return 'names' in answer ? answer.names : [];
    },
    create: async (path, content) => {
      await ask({ do: 'create', path });
      for await (const chunk of content) {
        for (let at = 0; at < chunk.byteLength; at += pieceBytes) {
          await ask({ do: 'write', content: toText(chunk.subarray(at, at + pieceBytes)) });
        }
      }
      const answer = await ask({ do: 'finish' });
      return 'bytes' in answer ? answer.bytes : 0;
    },
  };
}

interface AnsweringFiles {
  answer(question: FileQuestion): Promise<FileAnswer>;
  /** a file that was begun and is not whole goes */
  abandon(): Promise<void>;
}

/** A new file that comes in pieces, at most one at a time. */
function fileInPieces(files: CallerFiles) {
  let making: { readonly content: PassThrough; readonly made: Promise<number> } | undefined;
  const begin = (path: string) => {
    const content = new PassThrough();
    const made = files.create(path, content);
    // told with the next piece, or at the end
    made.catch(() => undefined);
    making = { content, made };
    return 0;
  };
  const write = async (bytes: Uint8Array) => {
    if (!making) return 0;
    const { content, made } = making;
    if (!content.write(bytes)) await Promise.race([once(content, 'drain'), made]);
    return bytes.byteLength;
  };
  const finish = async () => {
    const { content, made } = making ?? {};
    making = undefined;
    content?.end();
    return (await made) ?? 0;
  };
  const abandon = async () => {
    making?.content.destroy(new Error('it was not finished'));
    await making?.made.catch(() => undefined);
  };
  return { begin, write, finish, abandon };
}

/** Answers such questions by the files of this process. */
export function answeringFiles(files: CallerFiles): AnsweringFiles {
  const { begin, write, finish, abandon } = fileInPieces(files);
  const answerTo = async (question: FileQuestion): Promise<FileAnswer> => {
    switch (question.do) {
      case 'read':
        return { content: toText(await files.read(question.path)) };
      case 'names':
        return { names: await files.names(question.path) };
      case 'create':
        return { bytes: begin(question.path) };
      case 'write':
        return { bytes: await write(toBytes(question.content)) };
      case 'finish':
        return { bytes: await finish() };
    }
  };
  return {
    answer: (question) =>
      answerTo(question).catch((error: unknown) => ({
        refused: error instanceof Error ? error.message : String(error),
      })),
    abandon,
  };
}
