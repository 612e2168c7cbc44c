import type { CodeScene } from '../../contract/codes.ts';
import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut, type MailText } from './mail-text.ts';

interface Words {
  subject: (code: string, name: string) => string;
  /** what the code opens */
  purpose: Record<CodeScene, (name: string) => string>;
  lifetime: string;
  secret: (name: string) => string;
  stranger: string;
  closing: string;
}

const words: Record<Language, Words> = {
  en: {
    subject: (code, name) => `${code} is your ${name} code`,
    purpose: {
      login: (name) => `With this code you sign in to ${name}:`,
      signup: (name) => `With this code you create your ${name} account:`,
      reset: (name) => `With this code you set a new password at ${name}:`,
    },
    lifetime: 'It works once, within 10 minutes.',
    secret: (name) => `Keep it to yourself: nobody at ${name} will ever ask you for it.`,
    stranger: 'If you did not ask for a code, you can ignore this mail. Nothing happens without it.',
    closing: 'See you soon,',
  },
  pt: {
    subject: (code, name) => `${code} é o seu código ${name}`,
    purpose: {
      login: (name) => `Com este código você entra na ${name}:`,
      signup: (name) => `Com este código você cria sua conta ${name}:`,
      reset: (name) => `Com este código você cria uma nova senha na ${name}:`,
    },
    lifetime: 'Ele vale uma única vez, por 10 minutos.',
    secret: (name) => `Não passe o código para ninguém: a ${name} nunca vai pedir que você o informe.`,
    stranger: 'Se você não pediu um código, pode ignorar este e-mail. Sem o código, nada acontece.',
    closing: 'Até logo,',
  },
  es: {
    subject: (code, name) => `${code} es tu código de ${name}`,
    purpose: {
      login: (name) => `Con este código entras en ${name}:`,
      signup: (name) => `Con este código creas tu cuenta de ${name}:`,
      reset: (name) => `Con este código creas una contraseña nueva en ${name}:`,
    },
    lifetime: 'Sirve una sola vez, durante 10 minutos.',
    secret: (name) => `No lo compartas con nadie: ${name} nunca te lo va a pedir.`,
    stranger: 'Si no pediste un código, puedes ignorar este correo. Sin el código no pasa nada.',
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: (code, name) => `${code} — ваш код ${name}`,
    purpose: {
      login: (name) => `С этим кодом вы войдёте в ${name}:`,
      signup: (name) => `С этим кодом вы создадите аккаунт ${name}:`,
      reset: (name) => `С этим кодом вы зададите новый пароль в ${name}:`,
    },
    lifetime: 'Код сработает один раз в течение 10 минут.',
    secret: (name) => `Никому его не сообщайте: сотрудники ${name} никогда его не спрашивают.`,
    stranger: 'Если вы не запрашивали код, просто не обращайте внимания на это письмо: без кода ничего не произойдёт.',
    closing: 'До встречи,',
  },
};

/**
 * Brings a code. It stands in the subject, too, because people read and copy it from the notification; it opens one
 * thing, once, for ten minutes.
 */
export function codeMail(
  brand: Brand,
  language: Language,
  { code, scene }: { code: string; scene: CodeScene },
): MailText {
  const say = words[language];
  const { name } = brand;
  return layOut(brand, language, {
    subject: say.subject(code, name),
    paragraphs: [say.purpose[scene](name)],
    code,
    notes: [say.lifetime, say.secret(name), say.stranger],
    closing: say.closing,
  });
}
