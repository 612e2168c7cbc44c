/** A text message as it leaves. */
export interface TextMessage {
  /** digits of the number with its country code, without a plus */
  readonly to: string;
  readonly text: string;
}

/** The way out for SMS. Rejects when the message was not accepted; the outbox then tries again later. */
export interface Sms {
  send(message: TextMessage): Promise<void>;
}
