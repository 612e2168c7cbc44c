import * as v from 'valibot';

/** Sends a request to a provider: `fetch`, or what behaves like it. It rejects, or never answers, where it is cut. */
export type SendRequest = (request: Request) => Promise<Response>;

/** Longer than a provider needs, and shorter than the minute after which the customer's own call is given up. */
export const providerTimeoutMs = 20_000;

export interface ProviderAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Asks a provider. Undefined for anything that is not a whole, readable answer of the expected shape: no connection, one
 * that was cut before, inside or after the answer, an error of the provider's server, a page of some proxy. Nothing may
 * be concluded from that, so callers make the state `unknown` of it. A provider that says no with a status of 500, in its
 * own words, is read with `errors: 'read'`.
 */
export async function askProvider<Schema extends v.GenericSchema>(
  send: SendRequest,
  request: Request,
  schema: Schema,
  { errors }: { errors?: 'read' } = {},
): Promise<ProviderAnswer<v.InferOutput<Schema>> | undefined> {
  try {
    const response = await send(
      // a provider's address is configured; where an answer points to is not
      new Request(request, { redirect: 'error', signal: AbortSignal.timeout(providerTimeoutMs) }),
    );
    const text = await response.text();
    if (response.status >= 500 && errors !== 'read') return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    return parsed.success ? { status: response.status, body: parsed.output } : undefined;
  } catch {
    // Whatever became of the request is found out by asking again; what was on the wire may hold a card, so it is not kept.
    return undefined;
  }
}
