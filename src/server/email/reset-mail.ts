import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { linkMail, type LinkWords } from './link-mail.ts';
import type { MailText } from './mail-text.ts';

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

/** Leads to choosing a new password; `url` is of `makeMailLink('reset')`. */
export function resetMail(brand: Brand, language: Language, url: string): MailText {
  return linkMail(brand, language, words, url);
}
