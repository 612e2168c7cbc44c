import * as v from 'valibot';
import { languageSchema } from '#contract/fields.ts';
import { sendOffers } from '#server/account/settings/send-offers.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { need, OperatorError, type ShopCommand } from './command.ts';
import { brandOf, brandOption } from './open-shop.ts';

/** Mails an offer to every customer who has not unsubscribed. */
export const offersCommand: ShopCommand = {
  name: 'offers send',
  summary: 'mails an offer to the customers who take offers; given again, it goes on where it stopped',
  options: {
    brand: brandOption,
    name: { required: true, value: 'name', summary: 'of this offer; nobody gets the same one twice' },
    subject: { required: true, value: 'words', summary: 'of the mail' },
    'text-file': { required: true, value: 'file', summary: 'its words; an empty line parts paragraphs' },
    language: { value: 'code', summary: 'only to those who are written to in this language' },
    ...auditOptions,
  },
  inShop: async (given, { deps, files, done }) => {
    const language = v.safeParse(v.optional(languageSchema), given['language']);
    if (!language.success) throw new OperatorError(`There is no language ${given['language'] ?? ''}.`);
    const text = Buffer.from(await files.read(need(given, 'text-file')))
      .toString('utf8')
      .trim();
    const brand = brandOf(deps, need(given, 'brand'));
    if (!brand.config.subscribeEmail) throw new OperatorError(`${brand.name} sends no offers (subscribeEmail).`);
    const offer = { brand, name: need(given, 'name'), subject: need(given, 'subject'), text };
    // recorded first, because an interrupted run has also sent mail
    await writeAudit(deps.db, given, { command: 'offers send', brand: brand.code, subject: offer.name }, deps);
    const queued = await sendOffers(deps, { ...offer, language: language.output });
    if (queued === undefined)
      throw new OperatorError(`An offer named ${offer.name} says something else. Give this one another name.`);
    const facts = { brand: brand.code, name: offer.name, queued };
    done(`The offer is queued for ${queued} customers; the shop sends it while it runs.`, facts);
  },
};
