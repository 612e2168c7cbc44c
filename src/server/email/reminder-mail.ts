import type { Language } from '../../contract/fields.ts';
import { formatMoney, type Money } from '../../contract/money.ts';
import type { NextStep } from '../../contract/next-step.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut, type MailDraft, type MailText } from './mail-text.ts';
import { reminderWords, type ReminderWords } from './reminder-words.ts';

/** What a reminder, or the news of a rejected proof, is about. */
export interface Reminder {
  readonly orderId: string;
  readonly planName: string;
  readonly methodName: string;
  readonly total: Money;
  /** what there is to do; `none` for an order that needs a new code first */
  readonly next: NextStep;
}

const locales: Record<Language, string> = { en: 'en', pt: 'pt-BR', es: 'es', ru: 'ru' };

/**
 * What is needed to pay an order that waits, and the way back to it. The link names the order and carries no token: a
 * mail is forwarded and stays in mailboxes for years, so whoever opens it has to sign in as its owner. The button leads
 * to our own page even where a bank's page is next, because that one may have changed or closed since.
 */
export function reminderMail(brand: Brand, language: Language, reminder: Reminder): MailText {
  const say = reminderWords[language];
  const { orderId, next } = reminder;
  const { rows = [], copy } = needed(next, language);
  const rejected = next.type === 'upload' && next.proof === 'rejected';
  return layOut(brand, language, {
    subject: `${rejected ? say.rejectedSubject : say.subject} (${orderId})`,
    paragraphs: [rejected ? say.rejected : say.paragraph],
    rows: [
      [say.order, orderId],
      [say.plan, reminder.planName],
      [say.method, reminder.methodName],
      [say.total, formatMoney(reminder.total, language)],
      ...rows,
    ],
    ...(copy && { copy }),
    button: { label: say.button, url: `${brand.origin}/payment-step?orderId=${orderId}` },
    notes: [say.paid],
    closing: say.closing,
  });
}

type Needed = Pick<MailDraft, 'rows' | 'copy'>;

/** What the payer types or copies elsewhere, and until when. */
function needed(next: NextStep, language: Language): Needed {
  const say = reminderWords[language];
  const until = (instant: number) => [say.until, timeIn(language, instant)] as const;
  switch (next.type) {
    case 'qr':
      return { rows: [until(next.expiresAt)], copy: { label: say.pixCode, text: next.payload } };
    case 'ticket':
      return { rows: [[say.due, dayIn(language, next.dueDate)]], copy: { label: say.slipLine, text: next.line } };
    case 'crypto':
      return next.chosen ? coinsNeeded(next.chosen, until(next.expiresAt), say) : { rows: [until(next.expiresAt)] };
    case 'upload':
      return transferNeeded(next, until(next.expiresAt), say);
    case 'push':
    case 'otp':
      return { rows: [until(next.expiresAt)] };
    case 'redirect':
      return next.expiresAt === undefined ? {} : { rows: [until(next.expiresAt)] };
    case 'none':
      return {};
  }
}

type Row = readonly [string, string];
type Coins = NonNullable<Extract<NextStep, { type: 'crypto' }>['chosen']>;

function coinsNeeded({ asset, network, missing, address }: Coins, until: Row, say: ReminderWords): Needed {
  const rows: Row[] = [[say.network, network], [say.amount, `${missing} ${asset}`], until];
  return { rows, copy: { label: say.address, text: address } };
}

function transferNeeded(
  { receiver, reference, payload }: Extract<NextStep, { type: 'upload' }>,
  until: Row,
  say: ReminderWords,
): Needed {
  // with a QR the payer's bank reads the receiver out of it
  const account: Row[] = payload === null ? [[say.account, receiver.account]] : [];
  return { rows: [[say.receiver, receiver.name], ...account, until], copy: { label: say.reference, text: reference } };
}

function timeIn(language: Language, instant: number): string {
  const form = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return form.format(instant);
}

/** `YYYY-MM-DD` is a day and no instant, so it must not shift with a time zone. */
function dayIn(language: Language, day: string): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));
}
