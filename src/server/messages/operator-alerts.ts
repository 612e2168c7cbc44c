import type { I18n } from '@lingui/core';
import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from '#server/deps.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { type AlertKind } from '#server/runtime/metrics.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { type MailDraft, renderMail, type MailText } from './mail-html.ts';
import { queueMail } from './message-requests.ts';

/** At most one email per brand and kind within this time, in milliseconds. */
const dayMs = 24 * 60 * 60_000;

type AlertDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'log' | 'metrics'>;

/**
 * Alerts the operator of a brand. Every call is counted; the log line and the email to `alerts.email` of the brand are
 * sent once per kind and day. Never throws, because the request that detected the attack still needs its own response.
 * `db` may be a transaction: a failure here rolls back to a savepoint, so that the caller can commit.
 */
export async function alertOperator(deps: AlertDeps, brand: Brand, kind: AlertKind): Promise<void> {
  deps.metrics.alerted(kind, brand.code);
  try {
    await deps.db.transaction(async (tx) => {
      const first = await countTry(tx, `alert ${brand.code} ${kind}`, { tries: 1, windowMs: dayMs }, deps.clock());
      if (!first.allowed) return;
      const to = brand.alerts?.email;
      deps.log.warn({ brand: brand.code, kind, emailed: to !== undefined }, 'an operator alert was raised');
      if (to !== undefined) await queueMail(tx, { brand, to, ...alertMail(brand, kind) }, deps);
    });
  } catch (error) {
    deps.log.error({ err: error, brand: brand.code, kind }, 'an operator alert could not be sent');
  }
}

function alertMail(brand: Brand, kind: AlertKind): MailText {
  const language = brand.config.defaultLang;
  const i18n = i18nIn(language, brand);
  const once = i18n._({
    id: 'mail.alert.once',
    message: 'You receive at most one of these emails a day for each kind of problem.',
  });
  return renderMail(brand, language, { ...copyOf[kind](i18n, { name: brand.name }), notes: [once] });
}

type Copy = Pick<MailDraft, 'subject' | 'paragraphs'>;

const copyOf: Readonly<Record<AlertKind, (i18n: I18n, values: { readonly name: string }) => Copy>> = {
  card_testing: (i18n, values) => ({
    subject: i18n._({ id: 'mail.alert.cardTesting.subject', message: '{name}: many declined payments', values }),
    paragraphs: [
      i18n._({
        id: 'mail.alert.cardTesting.intro',
        message:
          'Many payments of {name} were declined in a short time. Someone may be testing stolen cards, or guessing security codes.',
        values,
      }),
      i18n._({
        id: 'mail.alert.cardTesting.done',
        message:
          'The shop now requires a captcha, and then a wait, before these customers, cards and networks can try again. Check the payments with your provider.',
      }),
    ],
  }),
  sms_pumping: (i18n, values) => ({
    subject: i18n._({ id: 'mail.alert.smsPumping.subject', message: '{name}: SMS limit reached', values }),
    paragraphs: [
      i18n._({
        id: 'mail.alert.smsPumping.intro',
        message:
          '{name} received more requests for SMS codes than its limit allows. Someone may be requesting them to earn money from the messages.',
        values,
      }),
      i18n._({
        id: 'mail.alert.smsPumping.done',
        message:
          'The shop sends no more SMS codes beyond the limit. Email codes and password logins aren’t affected. Check the messages with your provider.',
      }),
    ],
  }),
};
