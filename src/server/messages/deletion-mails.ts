import { accountText } from '#contract/mask.ts';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDay, i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';

interface DeletionRequest {
  readonly account: string;
  /** epoch milliseconds */
  readonly leavesAt: number;
  readonly retentionYears: number;
  /** the bank is already processing a payment of the renewal */
  readonly charging: boolean;
}

/** Confirms that an account will be deleted, and says how to cancel the deletion. */
export function deletionRequestedMail(
  brand: Brand,
  language: Language,
  { account, leavesAt, retentionYears, charging }: DeletionRequest,
): MailText {
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name, account: accountText(account), day: formatDay(brand, language, leavesAt) };
  return renderMail(brand, language, {
    subject: i18n._({
      id: 'mail.deletion.subject',
      message: 'Your {name} account will be deleted on {day}',
      values,
    }),
    paragraphs: [
      i18n._({
        id: 'mail.deletion.intro',
        message: 'We received a request to delete your {name} account {account}. We’ll delete it on {day}.',
        values,
      }),
      ...meanwhile(brand, language, charging),
      i18n._({
        id: 'mail.deletion.kept',
        message:
          'We then delete everything except what tax law requires us to keep for {years, plural, one {# year} other {# years}}: orders and payments, without your name.',
        values: { years: retentionYears },
      }),
    ],
    button: {
      label: i18n._({ id: 'mail.deletion.button', message: 'Keep my account' }),
      url: `${brand.origin}/my-data?la=${language}`,
    },
    notes: [
      i18n._({
        id: 'mail.deletion.wasNotYou',
        message: 'If it wasn’t you, log in, keep your account and set a new password.',
      }),
    ],
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}

function meanwhile(brand: Brand, language: Language, charging: boolean): string[] {
  const i18n = i18nIn(language, brand);
  const week = i18n._({
    id: 'mail.deletion.meanwhile',
    message:
      'Until then you can log in, watch and still keep the account. You won’t be charged, and you can’t buy anything.',
  });
  if (!charging) return [week];
  const open = i18n._({
    id: 'mail.deletion.meanwhileCharging',
    message: 'Until then you can log in, watch and still keep the account. You can’t buy anything.',
  });
  const underWay = i18n._({
    id: 'mail.deletion.charging',
    message:
      'A renewal payment was already with your bank and can’t be cancelled. If it goes through, you can use the days it pays for as long as you keep the account. After that, nothing more is charged.',
  });
  return [open, underWay];
}

/** The last mail: the account was deleted. */
export function accountDeletedMail(brand: Brand, language: Language): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.deleted.subject', message: 'Your {name} account has been deleted', values: { name } }),
    paragraphs: [
      i18n._({
        id: 'mail.deleted.intro',
        message:
          'As you asked, we’ve deleted your {name} account and what belonged to it. This is the last email about it.',
        values: { name },
      }),
      i18n._({
        id: 'mail.deleted.again',
        message: 'If you miss us, a new account takes a minute, even with the same address.',
      }),
    ],
    closing: i18n._({ id: 'mail.deleted.closing', message: 'Goodbye,' }),
  });
}
