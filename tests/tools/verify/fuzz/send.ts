import { Agent, request } from 'node:http';
import type { Reply, Send } from './world.ts';
import type { FuzzRequest } from './shot.ts';

/** After how long a request hangs, in milliseconds: nothing that is asked takes a tenth of it. */
const hangsAfterMs = 20_000;

/** Sends a shot over the wire, as it is: no client mends it on the way. */
export function overTheWire(port: number): Send & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const send = (shot: FuzzRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { method, host, target, headers, body } = shot;
      // Node sends no control characters in an address; those in the volley are escaped already
      const sent = method === 'GET' || method === 'HEAD' ? '' : (body ?? '');
      const all = { ...headers, Host: host, 'Content-Length': String(Buffer.byteLength(sent)) };
      const options = { agent, port, host: '127.0.0.1', method, path: target, headers: all };
      const asked = request(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const given = Object.entries(answer.headers).flatMap(([name, value]) =>
            typeof value === 'string' ? [[name, value] as [string, string]] : [],
          );
          resolve({
            status: answer.statusCode ?? 0,
            headers: new Headers(given),
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      });
      asked.setTimeout(hangsAfterMs, () => asked.destroy(new Error(`no answer in ${hangsAfterMs} ms`)));
      asked.on('error', (error) => {
        // a kept connection that the server was closing just then: the request never arrived
        const unheard = asked.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        if (unheard) resolve(send(shot));
        else reject(error);
      });
      asked.end(sent);
    });
  return Object.assign(send, { close: () => agent.destroy() });
}
