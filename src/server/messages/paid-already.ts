import type { I18n } from '@lingui/core';
import type { NextStep } from '#contract/next-step.ts';

/** The note for a customer who may already have paid. It must not contradict what the mail requests. */
export function paidAlready(i18n: I18n, next: NextStep): string {
  if (next.type === 'upload') {
    return i18n._({
      id: 'mail.reminder.proofMissing',
      message:
        'If you have sent the money already, please do not send it again: we only need a picture that proves your transfer.',
    });
  }
  if (next.type === 'crypto') {
    return i18n._({
      id: 'mail.reminder.coinsSent',
      message:
        'If you have sent the whole amount already, you do not need to do anything. Please do not send it twice.',
    });
  }
  return i18n._({
    id: 'mail.reminder.paid',
    message: 'If you have paid already, you do not need to do anything. Please do not pay twice.',
  });
}
