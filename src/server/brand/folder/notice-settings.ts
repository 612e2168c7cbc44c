import ipaddr from 'ipaddr.js';
import * as v from 'valibot';
import { webhookEventTypes } from '#server/db/schema/webhooks.ts';
import { emailAddress } from './schema-values.ts';

/** The settings of `brand.yaml` that name who is told what. */

const webhookUrl = v.pipe(
  v.string(),
  v.maxLength(500),
  v.check(
    isWebhookUrl,
    'must be an address with https://, without a user and without #; http:// is for hosts of your own network only',
  ),
);

/** The signature proves who sends, not who reads, so the public internet needs TLS. */
function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  if (url.protocol === 'https:') return true;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return url.protocol === 'http:' && (!/[.:]/.test(host) || isPrivate(host));
}

const privateRanges = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);
const isPrivate = (host: string) => ipaddr.isValid(host) && privateRanges.has(ipaddr.process(host).range());

/** Where alerts for the operator are sent, such as card testing. */
export const alertsSchema = v.pipe(
  v.strictObject({
    /** Receives each alert as an email. */
    email: v.optional(emailAddress),
    /** Receives each alert as a signed request. */
    webhook: v.optional(webhookUrl),
  }),
  v.check(({ email, webhook }) => (email ?? webhook) !== undefined, 'must have an email or a webhook'),
);

/** The operator's own systems that are told about orders, renewals and accounts; all events unless some are named. */
export const webhooksSchema = v.pipe(
  v.array(
    v.strictObject({
      /** Where events are sent. */
      url: webhookUrl,
      /** The events that are sent; by default all of them. */
      events: v.optional(v.pipe(v.array(v.picklist(webhookEventTypes)), v.minLength(1))),
    }),
  ),
  v.maxLength(10),
  v.check((all) => new Set(all.map(({ url }) => url)).size === all.length, 'must have each url once'),
);
