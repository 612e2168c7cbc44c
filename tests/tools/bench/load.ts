/**
 * Requests one URL `count` times over `connections` keep-alive connections and prints the requests per second as JSON.
 * Uses plain sockets, so that a request takes less time than its response. Usage, in a separate process:
 * `node load.ts <port> <host> <path> <count> <connections>`.
 */
import { connect } from 'node:net';

const [port = '0', host = 'localhost', path = '/', count = '1000', connections = '8'] = process.argv.slice(2);
const request = Buffer.from(
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: br\r\nAccept-Language: pt\r\nLanguage: pt\r\nAuthorization: null\r\n\r\n`,
);
let unsent = Number(count);
let unanswered = Number(count);

/** The end of the first complete response in the buffer; -1 when it is incomplete. */
function endOfResponse(buffer: Buffer): number {
  const headEnd = buffer.indexOf('\r\n\r\n');
  if (headEnd < 0) return -1;
  const head = buffer.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`unexpected response: ${head.split('\r\n')[0] ?? ''}`);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    const end = headEnd + 4 + Number(length);
    return buffer.length >= end ? end : -1;
  }
  const last = buffer.indexOf('\r\n0\r\n\r\n', headEnd);
  return last < 0 ? -1 : last + 7;
}

function worker(done: () => void): void {
  const socket = connect(Number(port), '127.0.0.1');
  let buffer: Buffer = Buffer.alloc(0);
  const send = () => {
    if (unsent === 0) return void socket.end();
    unsent -= 1;
    socket.write(request);
  };
  socket.on('connect', send);
  socket.on('data', (chunk: Buffer) => {
    buffer = buffer.length ? Buffer.concat([buffer, chunk]) : chunk;
    const end = endOfResponse(buffer);
    if (end < 0) return;
    buffer = buffer.subarray(end);
    unanswered -= 1;
    if (unanswered === 0) done();
    send();
  });
  socket.on('error', (error) => {
    throw error;
  });
}

const started = performance.now();
await new Promise<void>((resolve) => {
  for (let index = 0; index < Number(connections); index += 1) worker(resolve);
});
console.log(JSON.stringify({ perSecond: (Number(count) * 1000) / (performance.now() - started) }));
