import { Agent, request } from 'node:http';
import type { Reply, Send } from './world.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** The timeout of a request in milliseconds: no request takes a tenth of it. */
const timeoutMs = 20_000;

/** Sends requests unchanged over HTTP: no client corrects them. */
export function overTheWire(port: number): Send & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const send = (shot: FuzzRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { method, host, target, headers, body } = shot;
      // Node sends no control characters in a URL; the generated ones are escaped already
      const sent = method === 'GET' || method === 'HEAD' ? '' : (body ?? '');
      const all = { ...headers, Host: host, 'Content-Length': String(Buffer.byteLength(sent)) };
      const options = { agent, port, host: '127.0.0.1', method, path: target, headers: all };
      const pendingRequest = request(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const headerPairs = Object.entries(answer.headers).flatMap(([name, value]) =>
            typeof value === 'string' ? [[name, value] as [string, string]] : [],
          );
          resolve({
            status: answer.statusCode ?? 0,
            headers: new Headers(headerPairs),
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      });
      pendingRequest.setTimeout(timeoutMs, () => pendingRequest.destroy(new Error(`no response in ${timeoutMs} ms`)));
      pendingRequest.on('error', (error) => {
        // the server closed the keep-alive connection at the same time: the request never arrived
        const isLost = pendingRequest.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        if (isLost) resolve(send(shot));
        else reject(error);
      });
      pendingRequest.end(sent);
    });
  return Object.assign(send, { close: () => agent.destroy() });
}
