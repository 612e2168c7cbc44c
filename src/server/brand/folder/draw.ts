import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

const drawnSchema = v.object({
  /** four bytes per pixel; the last is its opacity */
  pixels: v.instance(Uint8Array),
  width: v.number(),
  height: v.number(),
  png: v.instance(Uint8Array),
});
const answerSchema = v.union([drawnSchema, v.object({ failed: v.string() })]);

export type Drawn = v.InferOutput<typeof drawnSchema>;

/** Draws an SVG with this width in pixels. Rejects with a sentence for the operator where it cannot be drawn. */
export type Draw = (svg: string, width: number) => Promise<Drawn>;

/** For all drawings of a brand, in milliseconds; our own take less than a second. */
const timeLimitMs = 10_000;

const ownProgram = fileURLToPath(new URL('./draw-process.ts', import.meta.url));

/**
 * Draws in a separate process, which is killed after ten seconds: a few lines of SVG can take a renderer hours, and the
 * commands that read a brand's folder run inside the demo's server.
 */
export async function withDrawing<Result>(
  act: (draw: Draw) => Promise<Result>,
  { limitMs = timeLimitMs, program = ownProgram }: { limitMs?: number; program?: string } = {},
): Promise<Result> {
  let started: DrawProcess | undefined;
  try {
    return await act((svg, width) => drawIn((started ??= startProcess(program, limitMs)), svg, width));
  } finally {
    clearTimeout(started?.timer);
    started?.child.kill('SIGKILL');
  }
}

interface DrawProcess {
  readonly child: ChildProcess;
  readonly timer: NodeJS.Timeout;
  isLate: boolean;
  /** what it wrote to its standard error */
  said: string;
}

function startProcess(program: string, limitMs: number): DrawProcess {
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {} });
  const timer = setTimeout(() => {
    started.isLate = true;
    child.kill('SIGKILL');
  }, limitMs);
  const started: DrawProcess = { child, timer, isLate: false, said: '' };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (started.said += text.slice(0, 1000)));
  return started;
}

async function drawIn(drawing: DrawProcess, svg: string, width: number): Promise<Drawn> {
  const { child } = drawing;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const ended = () => reject(new Error(drawing.isLate ? 'takes too long to draw; simplify it' : endOf(drawing)));
  child.once('message', resolve).once('error', reject).once('close', ended);
  // a process that is ending cannot receive it, and `close` follows
  if (child.connected) child.send({ svg, width }, () => {});
  else ended();
  try {
    const answer = v.parse(answerSchema, await promise);
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  } finally {
    child.off('message', resolve).off('error', reject).off('close', ended);
  }
}

/** A fault of this installation, not of the drawing. */
function endOf({ said }: DrawProcess): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const why = lines.find((line) => /error/i.test(line)) ?? lines[0] ?? 'it does not say why';
  return `the process that draws it ended: ${why}`;
}
