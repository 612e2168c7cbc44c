type Answer = (request: Request, bindings: object) => Promise<Response>;

const scriptPath = '/dev/preview.js';
const newsPath = '/dev/preview';

/** Also reloads when the preview was restarted and the browser has reconnected. */
const script = `const news = new EventSource('${newsPath}');
let wasOpen = false;
news.onopen = () => { if (wasOpen) location.reload(); wasOpen = true; };
news.onmessage = () => location.reload();
`;

const element = `<script src="${scriptPath}" async></script>`;

async function withScript(answer: Answer, request: Request, bindings: object): Promise<Response> {
  // uncompressed, so that the script can be inserted
  const headers = new Headers(request.headers);
  headers.delete('accept-encoding');
  const response = await answer(new Request(request.url, { headers }), bindings);
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = await response.text();
  const left = new Headers(response.headers);
  left.set('cache-control', 'no-store');
  left.delete('content-length');
  return new Response(html.replace('</body>', `${element}</body>`), { status: response.status, headers: left });
}

/** The same pages with a script in each that reloads them on the event `reload` (HTML, server-sent events). */
export function reloadingPages(answer: Answer) {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();

  function news(): Response {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        open.add(controller);
        controller.enqueue(encoder.encode(': open\n\n'));
      },
      cancel() {
        if (own) open.delete(own);
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' } });
  }

  return {
    answer: async (request: Request, bindings: object): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === scriptPath) return new Response(script, { headers: { 'Content-Type': 'text/javascript' } });
      if (pathname === newsPath) return news();
      return request.method === 'GET' && !pathname.startsWith('/api/')
        ? withScript(answer, request, bindings)
        : answer(request, bindings);
    },
    reload: () => {
      for (const controller of open) controller.enqueue(encoder.encode('data: changed\n\n'));
    },
    close: () => {
      for (const controller of open) controller.close();
      open.clear();
    },
  };
}
