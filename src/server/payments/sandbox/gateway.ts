import * as v from 'valibot';
import type { Finisher } from '../../../contract/next-step.ts';
import type { ChargeKind } from '../../db/schema.ts';
import {
  NoticeRefused,
  type AuthorizeRequest,
  type GatewayAnswer,
  type GatewayNotice,
  type PaymentGateway,
} from '../gateway.ts';
import { isSignedNotice } from '../notice-signature.ts';
import { askProvider, type Reach } from '../wire.ts';
import {
  actSchema,
  bankBase,
  chargeViewSchema,
  noticeSchema,
  signatureHeader,
  timestampHeader,
  type ChargeRequest,
  type ChargeView,
} from './protocol.ts';

/** One provider that the sandbox bank stands in for. */
export interface SandboxProvider {
  /** the name that `payment_methods.gateway` refers to */
  readonly name: string;
  readonly kindOf: (methodCode: string) => ChargeKind;
  /** set where the money is only taken after the customer is back */
  readonly finish?: Finisher;
}

export interface SandboxWire {
  /** scheme and host of the bank */
  readonly origin: string;
  readonly reach: Reach;
  readonly apiKey: string;
  readonly noticeSecret: string;
}

const unknown: GatewayAnswer = { state: 'unknown' };

/** The adapter of a provider that the sandbox bank plays ([Note: Sandbox protocol]). */
export function sandboxGateway(provider: SandboxProvider, wire: SandboxWire): PaymentGateway {
  const ask = async (path: string, body?: object): Promise<GatewayAnswer & { approved?: boolean }> => {
    const answer = await askProvider(wire.reach, requestTo(wire, path, body), chargeViewSchema);
    return answer?.status === 200 ? answerOf(answer.body) : unknown;
  };
  return {
    // the pretended chains have rates in dollars only
    takes: (methodCode, currency) => provider.kindOf(methodCode) !== 'coin' || currency === 'USD',
    authorize: (request) => ask('/charges', chargeRequest(provider, request)),
    // asking about a key that was never seen ends it, so that a request still under way cannot charge it afterwards
    inquire: async (key) => {
      const answer = await ask(`/charges/${key}/inquire`);
      // approved, and its payer did not come back: what they agreed to is done all the same
      return answer.approved ? ask(`/charges/${key}/act`, { type: 'finish' }) : answer;
    },
    act: async (key, act) => (v.is(actSchema, act) ? ask(`/charges/${key}/act`, act) : unknown),
    cancel: (key) => ask(`/charges/${key}/cancel`),
    refund: (key) => done(wire, `/charges/${key}/refund`),
    forgetCard: (token) => done(wire, `/cards/${encodeURIComponent(token)}/forget`),
    verifyNotice: async (headers, body, now) => {
      const timestamp = headers.get(timestampHeader);
      const signature = headers.get(signatureHeader);
      if (!isSignedNotice(wire.noticeSecret, { timestamp, signature, body }, now)) {
        throw new NoticeRefused('the signature or its time does not fit');
      }
      const notice = readNotice(body);
      // what is still to do may have changed since it was written down: a notice that was overtaken must not ask for more
      const answer = notice.answer.next ? await ask(`/charges/${notice.key}/inquire`) : notice.answer;
      return { ...notice, answer };
    },
  };
}

function requestTo({ origin, apiKey }: SandboxWire, path: string, body: object = {}): Request {
  return new Request(origin + bankBase + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });
}

async function done(wire: SandboxWire, path: string): Promise<boolean> {
  const answer = await askProvider(wire.reach, requestTo(wire, path), v.object({ done: v.boolean() }));
  return answer?.body.done ?? false;
}

function chargeRequest({ name, kindOf, finish }: SandboxProvider, request: AuthorizeRequest): ChargeRequest {
  const { orderLabel: label, ...asked } = request;
  return { ...asked, payer: request.payer, label, gateway: name, kind: kindOf(request.methodCode), finish };
}

function answerOf(charge: ChargeView): GatewayAnswer & { approved?: boolean } {
  const { amount, currency, publicId: providerRef, expiresAt, todo, savedCard, refusal } = charge;
  const known = { providerRef, amount, currency };
  switch (charge.status) {
    case 'paid':
    case 'refunded':
      return { state: 'succeeded', ...known, savedCard };
    case 'declined':
      return { state: 'failed', providerRef, failureCode: charge.declineCode ?? 2003 };
    case 'expired':
      return { state: 'expired', providerRef };
    case 'challenge':
    case 'waiting':
    case 'approved':
      return {
        state: 'pending',
        ...known,
        expiresAt: expiresAt ?? undefined,
        next: todo,
        refusal,
        approved: charge.status === 'approved',
      };
  }
}

function readNotice(body: string): GatewayNotice {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), noticeSchema), body);
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const { id: eventId, event: kind, stage, ...charge } = parsed.output;
  return { eventId, key: charge.key, kind, stage, answer: answerOf(charge) };
}
