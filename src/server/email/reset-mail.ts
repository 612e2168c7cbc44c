import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { linkMail, type LinkWords } from './link-mail.ts';
import type { MailText } from './mail-text.ts';

/** What else a mail of this kind says in its place: how long its link lasts, and why it comes instead of a code. */
interface Variants {
  readonly lasting: string;
  readonly instead: (name: string) => string;
}

const variants: Record<Language, Variants> = {
  en: {
    lasting: 'The link works once, within 4 hours. After that you sign in again on all your devices.',
    instead: (name) =>
      `Too many codes were asked for or tried at your ${name} account today, perhaps by somebody else. So this mail brings no code, and you get in with a new password. Choose it here:`,
  },
  pt: {
    lasting: 'O link vale uma única vez, por 4 horas. Depois é só entrar de novo em todos os seus aparelhos.',
    instead: (name) =>
      `Hoje foram pedidos ou testados códigos demais para a sua conta ${name}, talvez por outra pessoa. Por isso este e-mail não traz um código, e você entra com uma nova senha. Escolha-a aqui:`,
  },
  es: {
    lasting: 'El enlace sirve una sola vez, durante 4 horas. Después vuelves a entrar en todos tus dispositivos.',
    instead: (name) =>
      `Hoy se pidieron o se probaron demasiados códigos para tu cuenta de ${name}, quizá lo hizo otra persona. Por eso este correo no trae un código y entras con una contraseña nueva. Elígela aquí:`,
  },
  ru: {
    lasting: 'Ссылка сработает один раз в течение 4 часов. После этого нужно будет снова войти на всех устройствах.',
    instead: (name) =>
      `Сегодня для вашего аккаунта ${name} слишком много раз запрашивали или вводили код — возможно, это были не вы. Поэтому вместо кода — вход с новым паролем. Выберите его здесь:`,
  },
};

const words: Record<Language, LinkWords> = {
  en: {
    subject: (name) => `Your new password for ${name}`,
    intro: (name) => `You asked for a new password for your ${name} account. Choose it here:`,
    button: 'Choose a new password',
    notes: [
      'The link works once, within 30 minutes. After that you sign in again on all your devices.',
      'If you did not ask for this, you can ignore this mail. Your password stays as it is.',
    ],
    closing: 'See you soon,',
  },
  pt: {
    subject: (name) => `Sua nova senha da ${name}`,
    intro: (name) => `Você pediu uma nova senha para a sua conta ${name}. Escolha-a aqui:`,
    button: 'Escolher nova senha',
    notes: [
      'O link vale uma única vez, por 30 minutos. Depois é só entrar de novo em todos os seus aparelhos.',
      'Se não foi você que pediu, pode ignorar este e-mail. Sua senha continua a mesma.',
    ],
    closing: 'Até logo,',
  },
  es: {
    subject: (name) => `Tu nueva contraseña de ${name}`,
    intro: (name) => `Pediste una contraseña nueva para tu cuenta de ${name}. Elígela aquí:`,
    button: 'Elegir una contraseña nueva',
    notes: [
      'El enlace sirve una sola vez, durante 30 minutos. Después vuelves a entrar en todos tus dispositivos.',
      'Si no fuiste tú, puedes ignorar este correo. Tu contraseña sigue igual.',
    ],
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: (name) => `Новый пароль для ${name}`,
    intro: (name) => `Вы попросили новый пароль для аккаунта ${name}. Выберите его здесь:`,
    button: 'Задать новый пароль',
    notes: [
      'Ссылка сработает один раз в течение 30 минут. После этого нужно будет снова войти на всех устройствах.',
      'Если вы об этом не просили, просто не обращайте внимания на это письмо: пароль останется прежним.',
    ],
    closing: 'До встречи,',
  },
};

interface Kind {
  /** the link is one of four hours ([Note: Letters a day]) */
  readonly lasts?: boolean;
  /** it comes in the place of a code that could not be used */
  readonly instead?: boolean;
}

/** Leads to choosing a new password; `url` is of `makeMailLink('reset')`. */
export function resetMail(
  brand: Brand,
  language: Language,
  url: string,
  { lasts = false, instead = false }: Kind = {},
): MailText {
  const usual = words[language];
  const variant = variants[language];
  const [howLong = '', stranger = ''] = usual.notes;
  const own: LinkWords = {
    ...usual,
    intro: instead ? variant.instead : usual.intro,
    notes: [lasts ? variant.lasting : howLong, stranger],
  };
  return linkMail(brand, language, own, url);
}
