import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

const patienceMs = 20_000;

/** Sends through an SMTP server, `smtp://user:password@host:port`. */
export function smtpMailer(url: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  });
  return {
    send: async (mail) => {
      await transport.sendMail(mail);
    },
  };
}
