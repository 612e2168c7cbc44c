import type { I18n } from '@lingui/core';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import type { Deps } from '#server/deps.ts';
import { type AlertKind } from '#server/runtime/metrics.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { renderMail, type MailText } from './mail-html.ts';
import { queueMail } from './message-requests.ts';
import { alertTexts, type Alert } from './operator-alert-texts.ts';
import { eventTime, queueEvent } from './webhooks/queue-event.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

type AlertDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'log' | 'metrics'>;

interface AlertLimit {
  readonly tries: number;
  /** milliseconds */
  readonly windowMs: number;
}

const daily: AlertLimit = { tries: 1, windowMs: dayMs };

/** How often each kind is told for a brand. An attack raises its alert with every request. */
const limits: Readonly<Partial<Record<AlertKind, AlertLimit>>> = {
  card_testing: daily,
  sms_pumping: daily,
};

/** How often each kind is emailed; a webhook is told more. */
const mailLimits: Readonly<Partial<Record<AlertKind, AlertLimit>>> = {
  dispute_opened: { tries: 50, windowMs: dayMs },
  refund_by_hand: { tries: 50, windowMs: dayMs },
  transfer_waiting: { tries: 1, windowMs: hourMs },
};

/**
 * Alerts the operator of a brand: by the log, by email and by webhook, as `alerts` in brand.yaml says. Every call is
 * counted in the metrics. Never throws, because the request that raises it still needs its own response. `db` may be a
 * transaction: a failure here rolls back to a savepoint, so that the caller can commit. `fact` identifies what has
 * happened, if providers can report it several times: it is told once a day.
 */
export async function alertOperator(deps: AlertDeps, brand: Brand, alert: Alert, fact?: string): Promise<void> {
  const { kind } = alert;
  deps.metrics.alerted(kind, brand.code);
  try {
    await deps.db.transaction(async (tx) => {
      const isWithin = async (what: string, limit: AlertLimit | undefined) =>
        limit === undefined || (await countTry(tx, `${what} ${brand.code} ${kind}`, limit, deps.clock())).allowed;
      const isNew = fact === undefined ? isWithin('alert', limits[kind]) : isWithin(`alert ${fact}`, daily);
      if (!(await isNew)) return;
      const to = brand.alerts?.email;
      const emailed = to !== undefined && (await isWithin('alert mail', mailLimits[kind]));
      deps.log.warn({ brand: brand.code, ...alert, emailed }, 'an operator alert was raised');
      if (emailed) await queueMail(tx, { brand, to, ...alertMail(brand, alert, deps.clock()) }, deps);
      await queueEvent(tx, brand, { type: `alert.${kind}`, data: dataOf(alert) }, deps);
    });
  } catch (error) {
    deps.log.error({ err: error, brand: brand.code, kind }, 'an operator alert could not be sent');
  }
}

function dataOf({ kind: _, ...alert }: Alert): Readonly<Record<string, unknown>> {
  if ('respondBy' in alert) return { ...alert, respondBy: eventTime(alert.respondBy) };
  return 'since' in alert ? { ...alert, since: eventTime(alert.since) } : alert;
}

/** The email about an alert, in the default language of the brand. `now` in epoch milliseconds. */
function alertMail(brand: Brand, alert: Alert, now: number): MailText {
  const language = brand.config.defaultLang;
  const i18n = i18nIn(language, brand);
  const notes = notesOf(i18n, alert.kind);
  const closing = i18n._({ id: 'mail.alert.closing', message: 'Your shop,' });
  return renderMail(brand, language, { ...alertTexts(i18n, { brand, language, alert, now }), notes, closing });
}

/** What an operator sends to see that the emails about alerts arrive. */
export function testAlertMail(brand: Brand): MailText {
  const language = brand.config.defaultLang;
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name };
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.alert.test.subject', message: '{name}: this is a test', values }),
    paragraphs: [
      i18n._({ id: 'mail.alert.test.intro', message: 'Alerts of {name} are sent to this address.', values }),
    ],
    closing: i18n._({ id: 'mail.alert.closing', message: 'Your shop,' }),
  });
}

/** How often the email is sent, by the limits above. */
function notesOf(i18n: I18n, kind: AlertKind): string[] {
  if (kind === 'card_testing' || kind === 'sms_pumping')
    return [
      i18n._({
        id: 'mail.alert.once',
        message: 'You receive at most one of these emails a day for each kind of problem.',
      }),
    ];
  if (kind !== 'transfer_waiting') return [];
  return [i18n._({ id: 'mail.alert.onceAnHour', message: 'You receive at most one of these emails an hour.' })];
}
