import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Node's channels for requests of `fetch` and of `node:http`. */
const channels = ['undici:request:create', 'http.client.request.created'];

/** Records the requests that leave this process, until `stop`. Calls of the test app stay in the process. */
export function watchOutgoingRequests(): { readonly requests: readonly unknown[]; stop(): void } {
  const requests: unknown[] = [];
  const record = (message: unknown) => void requests.push(message);
  for (const channel of channels) subscribe(channel, record);
  const stop = () => {
    for (const channel of channels) unsubscribe(channel, record);
  };
  return { requests, stop };
}
