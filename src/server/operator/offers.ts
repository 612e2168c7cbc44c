import * as v from 'valibot';
import { languageSchema } from '#contract/fields.ts';
import { assessOffer, fillName, sendOffers } from '#server/account/settings/offers.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  hasOption,
  requireOption,
  OperatorError,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { findCoupon } from './coupons.ts';
import { brandOf, brandOption } from './open-shop.ts';
import { readOperatorFile } from './operator-files.ts';
import { counted } from './wording.ts';

/** Emails an offer to every subscribed customer who can log in and whose account is not scheduled for deletion. */
export const offersCommand: ShopCommand = {
  name: 'offers send',
  summary: 'emails an offer to subscribed customers; run again, it resumes where it stopped',
  options: {
    brand: brandOption,
    name: { required: true, value: 'name', summary: 'of this offer; a customer receives the same offer once' },
    subject: { required: true, value: 'words', summary: 'of the mail' },
    'text-file': { required: true, value: 'file', summary: 'its text; an empty line separates paragraphs' },
    language: { value: 'code', summary: 'only to customers with this language' },
    coupon: { value: 'code', summary: 'gives this coupon to each of them' },
    'dry-run': { summary: 'sends nothing: counts the customers and shows the text' },
    by: auditOptions.by,
    why: { value: 'reason', summary: `${auditOptions.why.summary}; needed to send` },
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    const language = v.safeParse(v.optional(languageSchema), given['language']);
    if (!language.success) throw new OperatorError(`There is no language ${given['language'] ?? ''}.`);
    const brand = brandOf(deps, requireOption(given, 'brand'));
    if (!brand.config.subscribeEmail) throw new OperatorError(`${brand.name} sends no offers (subscribeEmail).`);
    const coupon = given['coupon'] === undefined ? undefined : await validCoupon(shop, brand, given['coupon']);
    const contents = { ...(await textGiven(given, coupon)), language: language.output };
    const offer = { brand, name: requireOption(given, 'name'), coupon, ...contents };
    const assessed = await assessOffer(deps.db, offer);
    if (assessed.state === 'other') throw otherContents(offer.name);
    if (hasOption(given, 'dry-run'))
      return done(preview(offer, assessed), { brand: brand.code, name: offer.name, ...assessed });
    // recorded first, because an interrupted run has also sent mail
    await writeAudit(deps.db, given, { command: 'offers send', brand: brand.code, subject: offer.name }, deps);
    const queued = await sendOffers(deps, offer);
    if (queued === undefined) throw otherContents(offer.name);
    const facts = { brand: brand.code, name: offer.name, queued };
    done(`The offer is queued for ${counted(queued, 'customer')}; the shop sends it while it runs.`, facts);
  },
};

const otherContents = (name: string) =>
  new OperatorError(`An offer named ${name} has another text or language. Choose another name for this one.`);

async function validCoupon(shop: ShopContext, brand: Brand, text: string): Promise<string> {
  const { code, endsAt } = await findCoupon(shop, brand, text);
  if (endsAt > shop.deps.clock()) return code;
  throw new OperatorError(`The coupon ${code} has ended.`);
}

/** Subject and text with the coupon filled in; `{name}` remains. */
async function textGiven(given: OptionValues, coupon: string | undefined) {
  const text = (await readOperatorFile(requireOption(given, 'text-file'))).toString('utf8').trim();
  if (text === '') throw new OperatorError('The text is empty.');
  const all = `${requireOption(given, 'subject')}\n${text}`;
  const unknown = (all.match(/\{\w+\}/g) ?? []).filter((slot) => slot !== '{name}' && slot !== '{coupon}');
  if (unknown.length > 0) throw new OperatorError(`The text may contain {name} and {coupon}, but not ${unknown[0]}.`);
  if (coupon === undefined && all.includes('{coupon}'))
    throw new OperatorError('The text has {coupon}: give --coupon.');
  const fill = (words: string) => words.replaceAll('{coupon}', coupon ?? '');
  return { subject: fill(requireOption(given, 'subject')), text: fill(text) };
}

interface Offer {
  readonly brand: Brand;
  readonly subject: string;
  readonly text: string;
}

/** Both forms of the text, if they differ. */
function preview({ subject, text }: Offer, { state, customers }: Awaited<ReturnType<typeof assessOffer>>): string {
  if (state === 'sent') return 'Nothing is sent: this offer was sent before, and a customer receives it once.';
  const mailTo = (nickname: string) => `${fillName(subject, nickname)}\n\n${fillName(text, nickname)}`;
  const [named, nameless] = [mailTo('Ana'), mailTo('')];
  const forms = named === nameless ? [named] : [`With a nickname, such as Ana:\n\n${named}`, `Without:\n\n${nameless}`];
  const rest = state === 'begun' ? ' whom an interrupted command did not reach' : '';
  return [`Nothing is sent. ${counted(customers, 'customer')}${rest} would receive:`, ...forms].join('\n\n---\n\n');
}
