import * as v from 'valibot';

/** Sends a request to a provider: `fetch` or a replacement. It rejects or never settles if the connection breaks. */
export type SendRequest = (request: Request) => Promise<Response>;

/** Longer than a provider needs, and shorter than the minute after which the customer's own call times out. */
export const providerTimeoutMs = 20_000;

export interface ProviderAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Calls a provider. Undefined for anything but a complete, readable response of the expected shape: a broken
 * connection, a server error, a page of a proxy. Nothing may be concluded from it, so callers return the state
 * `unknown`. With `errors: 'read'` a refusal that a provider sends with status 500 is read.
 */
export async function askProvider<Schema extends v.GenericSchema>(
  send: SendRequest,
  request: Request,
  schema: Schema,
  { errors }: { errors?: 'read' } = {},
): Promise<ProviderAnswer<v.InferOutput<Schema>> | undefined> {
  try {
    const response = await send(
      // the address of a provider is configured; a redirect target is not
      new Request(request, { redirect: 'error', signal: AbortSignal.timeout(providerTimeoutMs) }),
    );
    const text = await response.text();
    if (response.status >= 500 && errors !== 'read') return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    return parsed.success ? { status: response.status, body: parsed.output } : undefined;
  } catch {
    // The outcome is found by an inquiry. The error is not logged, because it may contain a card.
    return undefined;
  }
}
