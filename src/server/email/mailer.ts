/** A mail as it leaves: plain text and HTML say the same. */
export interface Mail {
  /** `Name <address>` */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The way out for mail. Rejects when the mail was not accepted; the outbox then tries again later. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Mail stays in the outbox, where `/dev/outbox` shows it: nothing leaves this machine. */
export const outboxOnly: Mailer = { send: () => Promise.resolve() };
