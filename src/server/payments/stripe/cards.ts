import * as v from 'valibot';
import type { CardPage, CardPageRequest, GatewayAnswer, SaveCardAnswer, SavedCardCharge } from '../gateway.ts';
import { cardOf, cardOfSetup, failed, intentAnswer, unknown, findStripeCustomer, readToken } from './answers.ts';
import type { StripeAnswer } from './client.ts';
import { toStripe } from './currencies.ts';
import { failureOf } from './decline-codes.ts';
import { endPayment, readSession, type StripeDeps } from './payments.ts';
import { offSessionCharge, setupPage } from './requests.ts';
import { intentSchema, sessionSchema, type Intent } from './schemas.ts';

/** The decline code if the bank requires authentication in the holder's absence (docs.stripe.com/declines/codes). */
const asksHolder = 'authentication_required';

/** Charges a saved card in its holder's absence. */
export async function chargeOffSession(deps: StripeDeps, charge: SavedCardCharge): Promise<GatewayAnswer> {
  const counted = toStripe(charge);
  const token = readToken(charge.token);
  if (!counted || !token) return failed(counted ? 'invalidCard' : 'currencyUnsupported');
  const params = offSessionCharge(charge, counted, token);
  const answer = await deps.client.send(
    (api) => api.paymentIntents.create(params, { idempotencyKey: charge.key }),
    intentSchema,
  );
  if (answer?.kind === 'refused' && answer.words.includes(asksHolder))
    return { ...failed('rejectedByBank'), asksHolder: true };
  const told = chargeAnswer(deps, charge.key, answer);
  if (answer?.kind !== 'done' || told.state !== 'pending' || answer.body.status !== 'requires_action') return told;
  // the holder cannot authenticate: the payment is cancelled, and counts as a decline once that is done
  const ended = await endPayment(deps, answer.body.id);
  return ended.state === 'failed' ? { ...failed('rejectedByBank'), asksHolder: true } : ended;
}

/** The result of charging a saved card. The card is returned as its network has it now. */
export function chargeAnswer(
  { clock, log }: StripeDeps,
  key: string,
  answer: StripeAnswer<Intent> | undefined,
): GatewayAnswer {
  if (!answer) return unknown;
  if (answer.kind === 'done') {
    const told = intentAnswer(answer.body, clock());
    return told.state === 'succeeded' ? { ...told, savedCard: cardOf(answer.body) } : told;
  }
  const { words, isDecline, isUsedKey } = answer;
  // the key was closed meanwhile, or the payment of its first request is found by an inquiry
  if (isUsedKey) return unknown;
  if (!isDecline) log.warn({ attemptId: key, words, param: answer.param }, 'Stripe refused to charge');
  return failed(failureOf(words, answer));
}

/** Opens a page that saves a card without a charge. */
export async function openCardPage(deps: StripeDeps, request: CardPageRequest): Promise<CardPage> {
  const { key, brand, customer: uid = '', language } = request;
  const customer = await findStripeCustomer(deps.db, brand, uid);
  const about = { keeper: { keeper: `${brand} ${uid}` }, customer, language };
  const params = setupPage(request, about);
  const answer = await deps.client.send(
    (api) => api.checkout.sessions.create(params, { idempotencyKey: `${key}-card` }),
    sessionSchema,
  );
  if (answer?.kind === 'refused') {
    deps.log.warn({ words: answer.words, param: answer.param }, 'Stripe refused to open a page for a card');
    return { state: 'refused', failure: failureOf(answer.words, answer) };
  }
  return answer?.body.url ? { state: 'open', url: answer.body.url } : { state: 'unknown' };
}

/** The card that its owner has left on such a page. */
export async function takeCard(
  deps: StripeDeps,
  visit: string,
  { brand, customer: uid = '' }: Pick<CardPageRequest, 'brand' | 'customer'>,
): Promise<SaveCardAnswer> {
  if (!v.is(visitSchema, visit)) return refused;
  const session = await readSession(deps, visit);
  if (session === undefined) return { state: 'unknown' };
  const isTheirs = session !== 'gone' && session.metadata?.['keeper'] === `${brand} ${uid}`;
  const savedCard = isTheirs && session.status === 'complete' ? cardOfSetup(session) : undefined;
  return savedCard ? { state: 'saved', savedCard } : refused;
}

const visitSchema = v.pipe(v.string(), v.regex(/^cs_\w{4,250}$/));
const refused = { state: 'refused', failure: 'paymentFailed' } as const;

/** Deletes a card. A card that is unknown to Stripe or detached counts as deleted. */
export async function removeStoredCard({ client }: StripeDeps, token: string): Promise<boolean> {
  const card = readToken(token);
  if (!card) return true;
  const answer = await client.send((api) => api.paymentMethods.detach(card.paymentMethod), ownerSchema);
  if (!answer) return false;
  if (answer.kind === 'done' || answer.isMissing) return true;
  const known = await client.send((api) => api.paymentMethods.retrieve(card.paymentMethod), ownerSchema);
  return known?.kind === 'done' ? (known.body.customer ?? null) === null : (known?.isMissing ?? false);
}

const ownerSchema = v.object({ id: v.string(), customer: v.optional(v.nullable(v.unknown())) });
