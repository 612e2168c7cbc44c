import { QueryClient } from '@tanstack/react-query';

const minuteMs = 60_000;

/** The browser's query client. Retries belong to the API client, which knows what may be asked twice. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: minuteMs, gcTime: 30 * minuteMs, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
