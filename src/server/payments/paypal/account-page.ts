import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { CardPage, CardPageRequest, SaveCardAnswer } from '../gateway.ts';
import { linkOf, links, savedAccount } from './answers.ts';
import { paypalLocale, usagePattern, type PaypalDeps } from './orders.ts';
import { notEnabled, type Vault } from './vault.ts';

/**
 * Saves an account without a payment (Payment Method Tokens API v3): PayPal creates a setup token, its page asks the
 * payer, and after the return the token is exchanged for the token that is charged.
 */
export async function openAccountPage(deps: PaypalDeps, vault: Vault, request: CardPageRequest): Promise<CardPage> {
  const { key, brand } = request;
  const answer = await deps.client.call(
    { method: 'POST', path: '/v3/vault/setup-tokens', requestId: `${key}-account`, body: setupBody(request) },
    setupSchema,
  );
  if (!answer) return { state: 'unknown' };
  if (answer.kind === 'refused') {
    if (answer.issue === notEnabled) vault.refuse(brand);
    else deps.log.warn({ issue: answer.issue }, 'PayPal refused to open a page for an account');
    return refused;
  }
  const url = linkOf(answer.body, 'approve', 'payer-action');
  return url === undefined ? { state: 'unknown' } : { state: 'open', url };
}

/** The account that its owner has approved on that page. PayPal answers a repeated exchange with the same account. */
export async function takeAccount(
  deps: PaypalDeps,
  visit: string,
  owner: Pick<CardPageRequest, 'brand' | 'customer'>,
): Promise<SaveCardAnswer> {
  if (!v.is(visitSchema, visit)) return refused;
  const setup = await deps.client.call({ method: 'GET', path: `/v3/vault/setup-tokens/${visit}` }, setupSchema);
  if (!setup) return { state: 'unknown' };
  if (setup.kind === 'refused') return refused;
  const { status, customer } = setup.body;
  if (!approved.has(status)) return refused;
  if (customer?.merchant_customer_id !== customerId(owner)) {
    // expected of a foreign link, but if PayPal names no owner, no account can be saved at all
    deps.log.warn(
      { isNamed: customer?.merchant_customer_id !== undefined },
      'PayPal names another owner of an account',
    );
    return refused;
  }
  const saved = await deps.client.call(
    {
      method: 'POST',
      path: '/v3/vault/payment-tokens',
      requestId: `${visit}-account`,
      body: { payment_source: { token: { id: visit, type: 'SETUP_TOKEN' } } },
    },
    savedSchema,
  );
  if (!saved) return { state: 'unknown' };
  if (saved.kind === 'refused') {
    deps.log.warn({ issue: saved.issue }, 'PayPal refused to save an approved account');
    return refused;
  }
  const { id, payment_source: source } = saved.body;
  return { state: 'saved', savedCard: savedAccount(id, source.paypal.email_address) };
}

const refused = { state: 'refused', failure: 'paymentFailed' } as const;

/** PayPal shows the shop's name; a description may only contain these characters. */
const isDescription = (text: string) => /^[a-zA-Z0-9_'\-., :;!?"]{1,128}$/.test(text);

function setupBody(request: CardPageRequest): object {
  const { merchantName, returnUrl, language } = request;
  const back = new URL(returnUrl);
  // a payer who turns back has approved nothing, so the address names no visit
  const left = back.origin + back.pathname;
  // PayPal appends the visit itself, as `approval_token_id`
  back.searchParams.delete('cardVisit');
  return {
    customer: { merchant_customer_id: customerId(request) },
    payment_source: {
      paypal: {
        usage_type: 'MERCHANT',
        usage_pattern: usagePattern,
        customer_type: 'CONSUMER',
        // two customers may use one PayPal account; what one of them deletes stays with the other
        permit_multiple_payment_tokens: true,
        ...(isDescription(merchantName) && { description: merchantName }),
        experience_context: {
          return_url: back.href,
          cancel_url: left,
          shipping_preference: 'NO_SHIPPING',
          brand_name: merchantName.slice(0, 300),
          locale: paypalLocale(language),
        },
      },
    },
  };
}

/** The owner of a visit, which PayPal stores with it: 64 of the characters that it accepts. */
const customerId = ({ brand, customer = '' }: Pick<CardPageRequest, 'brand' | 'customer'>) =>
  createHash('sha256').update(`${brand} ${customer}`).digest('hex');

const visitSchema = v.pipe(v.string(), v.regex(/^[\w-]{4,36}$/));

/** `VAULTED` and `TOKENIZED`: exchanged already. */
const approved = new Set(['APPROVED', 'VAULTED', 'TOKENIZED']);

const setupSchema = v.object({
  id: v.string(),
  status: v.optional(v.string(), 'CREATED'),
  customer: v.optional(v.object({ merchant_customer_id: v.optional(v.string()) })),
  links,
});

const savedSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,255}$/)),
  payment_source: v.object({ paypal: v.object({ email_address: v.optional(v.string()) }) }),
});
