import { desc, eq } from 'drizzle-orm';
import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import type { UserInfo } from '#contract/user.ts';
import type { Envelope, RefusalParams } from '#contract/envelope.ts';
import { sendVerificationCode, signup } from '#contract/index.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import { openCatalog } from '#server/brand/catalog.ts';
import { openCloud, openScriptCaptcha, openPush, openGoogle } from '#server/runtime/wiring/open-deps.ts';
import type { Database } from '#server/db/connect.ts';
import { messageRequests } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import type { Mail } from '#server/messages/mailer.ts';
import { createMetrics } from '#server/runtime/metrics.ts';
import { createKeyedQueue } from '#server/runtime/limits/fair-queue.ts';
import { readSettings } from '#server/env.ts';
import { otherRoutes, createApp } from '#server/http/mount-app.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import type { TextMessage } from '#server/messages/sms.ts';
import { createLog } from '#server/runtime/log.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { requestOf } from '#tests/fixtures/call-request.ts';
import { recordRefusals } from './refused-codes.ts';
import { releaseDatabase, acquireDatabase } from './test-database.ts';
import { sandbox } from '#sandbox/sandbox.ts';

export interface CallOptions {
  token?: string | undefined;
  /** host name of the brand; localhost is lumen, mego.localhost is mego */
  host?: string | undefined;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string> | undefined;
}

export interface Answer<T> {
  status: number;
  /** 0 on success */
  code: number;
  errCode: number | undefined;
  params: RefusalParams;
  traceId: string;
  /** the payload; throws where the call was refused */
  readonly data: T;
  headers: Headers;
}

export interface TestApp {
  app: App;
  deps: Deps;
  db: Database;
  /** a clock that only a test advances; epoch milliseconds */
  clock: { now: number; advance(ms: number): void };
  /** the mails that were sent */
  sent: Mail[];
  /** the SMS that were sent */
  texted: TextMessage[];
  request<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Answer<Result<E>>>;
  /** a new customer of the brand, logged in */
  customer(options?: { account?: string; password?: string; host?: string }): Promise<UserInfo & { password: string }>;
  /** the newest code that is about to be sent to an account; throws when there is none */
  lastCode(account: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** a database to use instead of a fresh one in memory; the test has to close it */
  db?: Database;
  env?: Record<string, string>;
  /** replaces further dependencies */
  deps?: (base: Deps) => Partial<Deps>;
}

/** 21 November 2026, 12:00 UTC. */
export const testNow = Date.UTC(2026, 10, 21, 12);

/** The real server with a fresh database and a clock that the test advances. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const opened = options.db ? undefined : await acquireDatabase();
  const db = options.db ?? opened?.db;
  if (!db) throw new Error('no database');
  const settings = readSettings({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...options.env });
  const env = { ...settings, SIGNING_SECRET: 'a secret of the tests that is long enough' };
  const clock = {
    now: testNow,
    advance(ms: number) {
      clock.now += ms;
    },
  };
  const log = createLog(settings.LOG_LEVEL);
  const sent: Mail[] = [];
  const texted: TextMessage[] = [];
  const catalog = await openCatalog(db, {
    demo: settings.SANDBOX,
    defaultBrand: settings.DEFAULT_BRAND,
    extraHosts: settings.EXTRA_HOSTS,
    publicOrigin: settings.PUBLIC_ORIGIN,
    port: settings.PORT,
    log,
  });
  const provided = settings.SANDBOX ? sandbox : null;
  const metrics = createMetrics();
  const services = { db, clock: () => clock.now, random: systemRandom, catalog, env, log, metrics };
  const base: Deps = {
    ...services,
    mailer: { send: async (mail) => void sent.push(mail) },
    sms: settings.SANDBOX ? { send: async (message) => void texted.push(message) } : null,
    push: openPush(services, provided),
    google: openGoogle(services, provided),
    scriptCaptcha: openScriptCaptcha(services, provided),
    gateways: openGateways(services, provided),
    cloudUsage: openCloud(services),
    runSerially: createKeyedQueue(),
  };
  const deps: Deps = { ...base, ...options.deps?.(base) };
  const app = recordRefusals(createApp(deps, otherRoutes(provided)));
  const request = requester(app);
  return {
    app,
    deps,
    db,
    clock,
    sent,
    texted,
    request,
    customer: async ({ account = `${deps.random.token(6)}@example.com`, password = 'secret-123', host } = {}) => {
      const code = deps.catalog.byHost(host ?? 'localhost')?.config.login.signupCode
        ? await codeByMail({ db, request }, account, host)
        : undefined;
      const body = { account, password, agreePolicy: true, language: 'en', ...(code && { code }) } as const;
      const answer = await request(signup, { body }, { host });
      return { ...answer.data, password };
    },
    lastCode: (account) => lastCode(db, account),
    close: async () => opened && releaseDatabase(opened),
  };
}

/** Requests a sign-up code and deletes its message, so that a test finds only its own messages. */
async function codeByMail({ db, request }: Pick<TestApp, 'db' | 'request'>, account: string, host?: string) {
  const body = { account, type: 'email', scene: 'signup', language: 'en' } as const;
  const answer = await request(sendVerificationCode, { body }, { host });
  if (answer.code !== 0) throw new Error(`no code for ${account}: ${answer.errCode}`);
  const code = await lastCode(db, account.toLowerCase());
  await db.delete(messageRequests).where(eq(messageRequests.account, account.toLowerCase()));
  return code;
}

async function lastCode(db: Database, account: string): Promise<string> {
  const [request] = await db
    .select({ code: messageRequests.code })
    .from(messageRequests)
    .where(eq(messageRequests.account, account))
    .orderBy(desc(messageRequests.createdAt))
    .limit(1);
  if (!request?.code) throw new Error(`no code waits to be sent to ${account}`);
  return request.code;
}

/** Calls an endpoint over HTTP, as the storefront does. */
export function requester(app: App): TestApp['request'] {
  return async (endpoint, input, { token, host = 'localhost', idempotencyKey, headers } = {}) => {
    const { method, path, headers: usual, body } = requestOf(endpoint, input, { token, idempotencyKey });
    const sent = new Headers({ ...usual, host });
    for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
    const response = await app.request(`http://${host}${path}`, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body }),
    });
    return answerOf(response, endpoint);
  };
}

async function answerOf<E extends Endpoint>(response: Response, endpoint: E): Promise<Answer<Result<E>>> {
  // as: no schema, because it could repair a wrong response
  const envelope = (await response.json()) as Envelope & Record<'data' | 'result', Result<E>>;
  return {
    status: response.status,
    code: envelope.code,
    errCode: envelope.errCode ?? undefined,
    params: envelope.params ?? {},
    traceId: envelope.traceId ?? '',
    get data() {
      if (envelope.code !== 0) throw new Error(`${endpoint.name} was refused with ${JSON.stringify(envelope)}`);
      return envelope[endpoint.payload];
    },
    headers: response.headers,
  };
}
