import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { linkMail, type LinkWords } from './link-mail.ts';
import type { MailText } from './mail-text.ts';

const words: Record<Language, LinkWords> = {
  en: {
    subject: (name) => `Add this address to your ${name} account`,
    intro: (name) =>
      `This address is to be added to a ${name} account, for receipts and for a new password when it is needed. Is it yours?`,
    button: 'Yes, add it',
    notes: [
      'The link works once, within 24 hours.',
      'If you know nothing of it, you can ignore this mail. Nothing is added without your tap.',
    ],
    closing: 'See you soon,',
  },
  pt: {
    subject: (name) => `Vincule este e-mail à sua conta ${name}`,
    intro: (name) =>
      `Este endereço será vinculado a uma conta ${name}, para receber recibos e criar uma nova senha quando for preciso. Ele é seu?`,
    button: 'Sim, vincular',
    notes: [
      'O link vale uma única vez, por 24 horas.',
      'Se você não sabe do que se trata, pode ignorar este e-mail. Sem o seu toque, nada é vinculado.',
    ],
    closing: 'Até logo,',
  },
  es: {
    subject: (name) => `Vincula este correo a tu cuenta de ${name}`,
    intro: (name) =>
      `Esta dirección se va a vincular a una cuenta de ${name}, para recibir los recibos y crear una contraseña nueva cuando haga falta. ¿Es tuya?`,
    button: 'Sí, vincular',
    notes: [
      'El enlace sirve una sola vez, durante 24 horas.',
      'Si no sabes de qué se trata, puedes ignorar este correo. Sin tu toque no se vincula nada.',
    ],
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: (name) => `Привяжите этот адрес к аккаунту ${name}`,
    intro: (name) =>
      `Этот адрес хотят привязать к аккаунту ${name}, чтобы присылать чеки и помочь с новым паролем, если он понадобится. Это ваш адрес?`,
    button: 'Да, привязать',
    notes: [
      'Ссылка сработает один раз в течение 24 часов.',
      'Если вы ничего об этом не знаете, не обращайте внимания на это письмо: без вашего нажатия ничего не произойдёт.',
    ],
    closing: 'До встречи,',
  },
};

/** Asks whether an address is to be bound to an account; `url` is of `makeMailLink('bind')`. */
export function bindMail(brand: Brand, language: Language, url: string): MailText {
  return linkMail(brand, language, words[language], url);
}
