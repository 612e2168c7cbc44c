import { connect } from 'node:tls';
import * as v from 'valibot';
import { uploadLimitBytes } from '#contract/limits.ts';
import { uploadObject } from '#contract/payment-steps.ts';
import { theme } from '#contract/site.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Gateways } from '#server/payments/gateway.ts';
import { webhookPath } from '#server/payments/send-provider-request.ts';
import { noteFinding, okFinding, patienceMs, reasonOf, wrongFinding, type Finding } from './finding.ts';

const dayMs = 24 * 60 * 60_000;
/** Caddy and certbot renew a month before expiry; with two weeks left, renewal does not work. */
const renewBeforeMs = 14 * dayMs;

export interface CheckedBrand extends Pick<Brand, 'code' | 'origin' | 'hosts'> {
  /** undefined where only the running shop can read its brands */
  readonly tenantId?: string | undefined;
}

/** Checks the hosts of a brand as customers and providers reach them: through DNS, TLS and proxies. */
export async function checkHosts(brand: CheckedBrand, gateways: Gateways, clock: () => number): Promise<Finding[]> {
  const origin = new URL(brand.origin);
  if (origin.protocol !== 'https:') return [wrongFinding(`host ${origin.hostname}`, `${brand.origin} is not https`)];
  const others = brand.hosts.filter((host) => host !== origin.hostname);
  const places = [origin, ...others.map((host) => new URL(`https://${host}${origin.port && `:${origin.port}`}`))];
  const found = await Promise.all(
    places.map(async (place) => [await lookAtCertificate(place, clock()), await lookAtShop(place, brand)]),
  );
  const isOpen = found[0]?.every(({ state }) => state !== 'wrong') === true;
  return [...found.flat(), ...(isOpen ? await lookAtWebhooks(origin, gateways) : [])];
}

function lookAtCertificate({ hostname, port }: URL, now: number): Promise<Finding> {
  const what = `certificate of ${hostname}`;
  return new Promise((resolve) => {
    const options = { host: hostname, port: Number(port) || 443, servername: hostname };
    const socket = connect(options, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      const days = Math.floor((Date.parse(end) - now) / dayMs);
      const until = `until ${new Date(end).toISOString().slice(0, 10)}`;
      if (days < 0) resolve(wrongFinding(what, `has expired; it was valid ${until}`));
      else if (days * dayMs < renewBeforeMs)
        resolve(noteFinding(what, `is good ${until} only, and has not been renewed yet`));
      else resolve(okFinding(what, `is good ${until}`));
      socket.destroy();
    });
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('silent')));
    socket.on('error', (error) => resolve(wrongFinding(what, `the host ${reasonOf(error)}`)));
  });
}

const themeAnswer = v.object({ data: theme.result });

/** Whether this shop responds there, with this brand. */
async function lookAtShop({ origin, hostname }: URL, { code, tenantId }: CheckedBrand): Promise<Finding> {
  const what = `host ${hostname}`;
  try {
    const health = await request(`${origin}/healthz`);
    if ((await health.text()) !== 'ok')
      return wrongFinding(what, `${origin}/healthz is answered by another server (${health.status})`);
    if (tenantId === undefined) return okFinding(what, 'answers');
    const answer = v.safeParse(themeAnswer, await (await request(`${origin}${theme.path}`)).json());
    const isOwn = answer.success && answer.output.data.tenantId === tenantId;
    return isOwn
      ? okFinding(what, `answers with the brand ${code}`)
      : wrongFinding(what, `answers, but not with the brand ${code}`);
  } catch (error) {
    return wrongFinding(what, `${origin} ${reasonOf(error)}`);
  }
}

/** Sends each webhook an unsigned notice: a shop that receives it refuses it. */
function lookAtWebhooks({ origin }: URL, gateways: Gateways): Promise<Finding[]> {
  const told = Object.entries(gateways).filter(([, { verifyNotice }]) => verifyNotice);
  return Promise.all(
    told.map(async ([name]) => {
      const address = `${origin}${webhookPath(name)}`;
      try {
        const { status } = await request(address, { method: 'POST', body: '' });
        return status === 400 || status === 401
          ? okFinding(`webhook ${name}`, `${address} reaches the shop`)
          : wrongFinding(`webhook ${name}`, `${address} answers ${status}, so notices do not reach the shop`);
      } catch (error) {
        return wrongFinding(`webhook ${name}`, `${address} ${reasonOf(error)}`);
      }
    }),
  );
}

/**
 * Whether the largest allowed proof of payment passes the proxies: a request without a session, which the shop refuses
 * and does not store. Only on request of the operator, because it sends 4 MiB.
 */
export async function checkUploads({ origin }: Pick<Brand, 'origin'>): Promise<Finding> {
  const what = `uploads of ${new URL(origin).hostname}`;
  const megabytes = `${uploadLimitBytes / 1024 / 1024} MiB`;
  try {
    const body = new Uint8Array(uploadLimitBytes);
    const answer = await request(origin + uploadObject.path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'image/png' },
    });
    if (answer.status === 413)
      return wrongFinding(what, `a proxy refuses ${megabytes}; raise its limit (nginx: client_max_body_size 5m)`);
    const isOwn = answer.headers.get('content-type')?.includes('json') === true;
    return isOwn
      ? okFinding(what, `${megabytes} reach the shop`)
      : wrongFinding(what, `the proxy answers ${answer.status} to ${megabytes}`);
  } catch (error) {
    return wrongFinding(what, `${origin} ${reasonOf(error)} when ${megabytes} are sent; see the limits of its proxy`);
  }
}

/** Signed notices are accepted for five minutes and codes for ten, so small clock differences are harmless. */
const clockMs = { note: 5000, wrong: 60_000 } as const;

/** Compares this machine's clock with the `Date` header of another server, which has whole seconds. */
export async function checkClock(address: string, clock: () => number): Promise<Finding> {
  const what = 'clock';
  try {
    const before = clock();
    const { headers } = await request(address, { method: 'HEAD' });
    const told = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(told)) return noteFinding(what, `${address} sends no time to compare with`);
    const after = clock();
    // the header was written between request and response, within that second: a clock that may be right counts as
    // right
    const mayBeRight = before < told + 1000 && after >= told;
    const off = mayBeRight ? 0 : (before + after) / 2 - (told + 500);
    const says = `is ${Math.round(Math.abs(off) / 1000)} s ${off < 0 ? 'behind' : 'ahead of'} ${new URL(address).host}`;
    if (Math.abs(off) >= clockMs.wrong) return wrongFinding(what, `${says}; synchronize it with NTP`);
    return Math.abs(off) >= clockMs.note ? noteFinding(what, says) : okFinding(what, says);
  } catch (error) {
    return noteFinding(what, `could not be compared: ${address} ${reasonOf(error)}`);
  }
}

const request = (address: string, init: RequestInit = {}) =>
  fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
