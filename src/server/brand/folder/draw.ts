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

const program = fileURLToPath(new URL('./draw-process.ts', import.meta.url));

/**
 * Draws in a separate process, which is killed after ten seconds: a few lines of SVG can take a renderer hours, and the
 * commands that read a brand's folder run inside the demo's server.
 */
export async function withDrawing<Result>(
  act: (draw: Draw) => Promise<Result>,
  limitMs = timeLimitMs,
): Promise<Result> {
  let started: { readonly child: ChildProcess; readonly timer: NodeJS.Timeout } | undefined;
  const start = () => {
    const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} });
    return { child, timer: setTimeout(() => child.kill('SIGKILL'), limitMs) };
  };
  try {
    return await act((svg, width) => drawIn((started ??= start()).child, svg, width));
  } finally {
    clearTimeout(started?.timer);
    started?.child.kill('SIGKILL');
  }
}

async function drawIn(child: ChildProcess, svg: string, width: number): Promise<Drawn> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const stopped = () => reject(new Error('takes too long to draw; simplify it'));
  child.once('message', resolve).once('exit', stopped);
  if (child.connected) child.send({ svg, width });
  else stopped();
  try {
    const answer = v.parse(answerSchema, await promise);
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  } finally {
    child.off('message', resolve).off('exit', stopped);
  }
}
