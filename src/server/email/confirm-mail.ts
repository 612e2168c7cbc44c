import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { linkMail, type LinkWords } from './link-mail.ts';
import type { MailText } from './mail-text.ts';

const words: Record<Language, LinkWords> = {
  en: {
    subject: (name) => `Please confirm your address for ${name}`,
    intro: (name) => `One tap, and we know that this address of your ${name} account is yours:`,
    button: 'Confirm my address',
    notes: ['The link works for 24 hours.', 'If you did not create this account, you can ignore this mail.'],
    closing: 'See you soon,',
  },
  pt: {
    subject: (name) => `Confirme seu e-mail na ${name}`,
    intro: (name) => `Basta um toque para confirmar que este endereço da sua conta ${name} é seu:`,
    button: 'Confirmar meu e-mail',
    notes: ['O link vale por 24 horas.', 'Se você não criou esta conta, pode ignorar este e-mail.'],
    closing: 'Até logo,',
  },
  es: {
    subject: (name) => `Confirma tu correo en ${name}`,
    intro: (name) => `Con un toque sabremos que esta dirección de tu cuenta de ${name} es tuya:`,
    button: 'Confirmar mi correo',
    notes: ['El enlace sirve durante 24 horas.', 'Si no creaste esta cuenta, puedes ignorar este correo.'],
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: (name) => `Подтвердите адрес для ${name}`,
    intro: (name) => `Одно нажатие, и мы будем знать, что адрес вашего аккаунта ${name} действительно ваш:`,
    button: 'Подтвердить адрес',
    notes: [
      'Ссылка действует 24 часа.',
      'Если вы не создавали этот аккаунт, просто не обращайте внимания на это письмо.',
    ],
    closing: 'До встречи,',
  },
};

/** Asks to confirm the address of an account; `url` is of `makeMailLink('confirm')`. */
export function confirmMail(brand: Brand, language: Language, url: string): MailText {
  return linkMail(brand, language, words[language], url);
}
