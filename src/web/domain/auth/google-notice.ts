import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';

/** A message of a login with Google for the page that offered it. */
export interface GoogleNotice {
  readonly tone: 'info' | 'warning' | 'danger';
  readonly words: LocalizedMessage;
}

let notice: GoogleNotice | undefined;

/** Stores the message for the sign-up page, which is opened next; undefined clears it. */
export function setGoogleNotice(next: GoogleNotice | undefined): void {
  notice = next;
}

export const currentGoogleNotice = (): GoogleNotice | undefined => notice;
