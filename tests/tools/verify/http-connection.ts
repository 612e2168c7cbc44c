import { once } from 'node:events';
import { request, type Agent, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { connectionOver, type Connection } from './connection.ts';

/**
 * Calls the shop over HTTP at a port of this machine. Sends the host as a header, because not every resolver knows
 * `mego.localhost`. `tag` is the request id, which identifies the caller in the shop's log and in the faulty proxy.
 */
export function httpConnection(port: number, tag: string, agent: Agent): Connection {
  return connectionOver(async ({ method, path, host, headers, body }) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      headers: { ...headers, host: `${host}:${port}`, 'x-request-id': tag },
    });
    const answered = once(sent, 'response');
    sent.end(body);
    // as: `response` carries exactly one message
    const [answer] = (await answered) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, text: await text(answer) };
  });
}
