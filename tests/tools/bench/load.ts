/**
 * Asks one address `count` times over `connections` kept-alive connections and prints the requests per second as JSON.
 * It speaks plain sockets, so that the asking costs less than the answering. Run as a process of its own:
 * `node load.ts <port> <host> <path> <count> <connections>`.
 */
import { connect } from 'node:net';

const [port = '0', host = 'localhost', path = '/', count = '1000', connections = '8'] = process.argv.slice(2);
const request = Buffer.from(
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: br\r\nAccept-Language: pt\r\nLanguage: pt\r\nAuthorization: null\r\n\r\n`,
);
let toAsk = Number(count);
let toHear = Number(count);

/** Where the first whole answer in the buffer ends; -1 when more has to come. */
function endOfAnswer(buffer: Buffer): number {
  const headEnd = buffer.indexOf('\r\n\r\n');
  if (headEnd < 0) return -1;
  const head = buffer.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`unexpected answer: ${head.split('\r\n')[0] ?? ''}`);
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
  const ask = () => {
    if (toAsk === 0) return void socket.end();
    toAsk -= 1;
    socket.write(request);
  };
  socket.on('connect', ask);
  socket.on('data', (chunk: Buffer) => {
    buffer = buffer.length ? Buffer.concat([buffer, chunk]) : chunk;
    const end = endOfAnswer(buffer);
    if (end < 0) return;
    buffer = buffer.subarray(end);
    toHear -= 1;
    if (toHear === 0) done();
    ask();
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
