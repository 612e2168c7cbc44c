import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

const patienceMs = 20_000;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Sends through an SMTP server, `smtp://user:password@host:port`. A password goes over the network inside TLS or not at
 * all: a server that offers none is then refused, instead of being spoken to in the clear (RFC 3207, section 6).
 */
export function smtpMailer(url: string): Mailer {
  const { username, hostname } = new URL(url);
  const transport = createTransport({
    url,
    requireTLS: username !== '' && !loopback.test(hostname),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, ...mail }) => {
      // as text it would be taken apart at its commas, and reach people that nobody named
      await transport.sendMail({ ...mail, to: { name: '', address: to } });
    },
  };
}
