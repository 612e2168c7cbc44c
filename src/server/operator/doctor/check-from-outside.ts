import { isIP } from 'node:net';
import { connect } from 'node:tls';
import * as v from 'valibot';
import { uploadLimitBytes } from '#contract/limits.ts';
import { uploadObject } from '#contract/payment-steps.ts';
import { theme } from '#contract/site.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Gateways } from '#server/payments/gateway.ts';
import { webhookPath } from '#server/payments/send-provider-request.ts';
import { checkProxy } from './check-proxy.ts';
import { noteFinding, okFinding, patienceMs, reasonOf, request, wrongFinding, type Finding } from './finding.ts';

const dayMs = 24 * 60 * 60_000;
/** Caddy and certbot renew a month before expiry, so with three weeks left the renewal does not work. */
const renewBeforeMs = 21 * dayMs;

export interface CheckedBrand extends Pick<Brand, 'code' | 'origin' | 'hosts'> {
  /** undefined where only the running shop can read its brands */
  readonly tenantId?: string | undefined;
}

interface HostContext {
  readonly gateways: Gateways;
  readonly clock: () => number;
  /** without it the shop does not say which proxy it sees */
  readonly metricsToken: string | undefined;
}

/** Checks the hosts of a brand as customers and providers reach them: through DNS, TLS and proxies. */
export async function checkHosts(
  brand: CheckedBrand,
  { gateways, clock, metricsToken }: HostContext,
): Promise<Finding[]> {
  const origin = new URL(brand.origin);
  if (origin.protocol !== 'https:') return [wrongFinding(`host ${origin.hostname}`, `${brand.origin} is not https`)];
  const others = brand.hosts.filter((host) => host !== origin.hostname);
  const places = [origin, ...others.map((host) => new URL(`https://${host}${origin.port && `:${origin.port}`}`))];
  const found = await Promise.all(
    places.map(async (place) => {
      const [certificate, shop] = [await lookAtCertificate(place, clock()), await lookAtShop(place, brand)];
      const isOpen = certificate.state !== 'wrong' && shop.state !== 'wrong';
      return { isOpen, findings: [certificate, shop, ...(isOpen ? await checkProxy(place, metricsToken) : [])] };
    }),
  );
  const webhooks = found[0]?.isOpen === true ? await lookAtWebhooks(origin, gateways) : [];
  return [...found.flatMap(({ findings }) => findings), ...webhooks];
}

function lookAtCertificate({ hostname, port }: URL, now: number): Promise<Finding> {
  const what = `certificate of ${hostname}`;
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    // TLS names no address
    const options = { host, port: Number(port) || 443, ...(isIP(host) === 0 && { servername: host }) };
    const socket = connect(options, () => {
      const { valid_from: start, valid_to: end } = socket.getPeerCertificate();
      resolve(certificateFinding(what, { start: Date.parse(start), end: Date.parse(end), now }));
      socket.destroy();
    });
    const late = setTimeout(() => socket.destroy(new Error('silent')), patienceMs);
    socket.on('error', (error) => resolve(wrongFinding(what, `the host ${reasonOf(error)}`)));
    socket.on('close', () => clearTimeout(late));
  });
}

/** Whether a certificate that is valid between two instants was renewed in time; all in epoch milliseconds. */
export function certificateFinding(
  what: string,
  { start, end, now }: Record<'start' | 'end' | 'now', number>,
): Finding {
  const until = `until ${new Date(end).toISOString().slice(0, 10)}`;
  const renew = 'browsers refuse the shop then; see the log of the program that renews it, such as Caddy or certbot';
  if (end < now) return wrongFinding(what, `has expired; it was valid ${until}, and browsers refuse the shop`);
  const left = end - now;
  // a certificate of a few weeks is renewed later
  return left < Math.min(renewBeforeMs, (end - start) / 4)
    ? noteFinding(what, `is good ${until} only, ${Math.floor(left / dayMs)} days, and has not been renewed; ${renew}`)
    : okFinding(what, `is good ${until}`);
}

const themeAnswer = v.object({ data: theme.result });

/** Whether this shop responds there, with this brand. */
export async function lookAtShop({ origin, hostname }: URL, { code, tenantId }: CheckedBrand): Promise<Finding> {
  const what = `host ${hostname}`;
  try {
    const health = await request(`${origin}/healthz`);
    if ((await health.text()) !== 'ok')
      return wrongFinding(what, `${origin}/healthz is answered by another server (${health.status})`);
    if (tenantId === undefined) return okFinding(what, 'answers');
    const described = await request(`${origin}${theme.path}`);
    if (described.status === 503)
      return wrongFinding(
        what,
        'runs, but cannot use its database, so customers see an error; `/readyz` and the log of its process say why',
      );
    const answer = v.safeParse(themeAnswer, await described.json());
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
    return clockFinding(what, { before, after: clock(), told, precisionMs: 1000 }, new URL(address).host);
  } catch (error) {
    return noteFinding(what, `could not be compared: ${address} ${reasonOf(error)}`);
  }
}

interface ComparedTime {
  /** this machine's clock before the question and after the answer */
  readonly before: number;
  readonly after: number;
  /** the other clock in between, which shows units of `precisionMs` */
  readonly told: number;
  readonly precisionMs: number;
}

/** The difference between this machine's clock and another one. A clock that may be right counts as right. */
export function clockFinding(what: string, { before, after, told, precisionMs }: ComparedTime, of: string): Finding {
  const mayBeRight = before < told + precisionMs && after >= told;
  const off = mayBeRight ? 0 : (before + after) / 2 - (told + precisionMs / 2);
  const says = `is ${Math.round(Math.abs(off) / 1000)} s ${off < 0 ? 'behind' : 'ahead of'} ${of}`;
  const remedy = 'codes and prices expire at the wrong time, and notices are refused; synchronize it with NTP';
  if (Math.abs(off) >= clockMs.wrong) return wrongFinding(what, `${says}; ${remedy}`);
  return Math.abs(off) >= clockMs.note ? noteFinding(what, `${says}; ${remedy}`) : okFinding(what, says);
}
