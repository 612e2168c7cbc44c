import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { linkMail, type LinkWords } from './link-mail.ts';
import type { MailText } from './mail-text.ts';

const words: Record<Language, LinkWords> = {
  en: {
    subject: (name) => `You already have a ${name} account`,
    intro: (name) =>
      `Someone, probably you, wanted to create a ${name} account with this address. There is one already, so just sign in:`,
    button: 'Sign in',
    notes: [
      'If you do not remember your password, you can choose a new one from the same page.',
      'If it was not you, you can ignore this mail. Your account is as it was.',
    ],
    closing: 'See you soon,',
  },
  pt: {
    subject: (name) => `Você já tem uma conta ${name}`,
    intro: (name) =>
      `Alguém, provavelmente você, quis criar uma conta ${name} com este endereço. Ela já existe, então é só entrar:`,
    button: 'Entrar',
    notes: [
      'Se não lembra a senha, na mesma página você pode escolher uma nova.',
      'Se não foi você, pode ignorar este e-mail. Sua conta continua como estava.',
    ],
    closing: 'Até logo,',
  },
  es: {
    subject: (name) => `Ya tienes una cuenta de ${name}`,
    intro: (name) =>
      `Alguien, seguramente tú, quiso crear una cuenta de ${name} con esta dirección. Ya existe, así que solo tienes que entrar:`,
    button: 'Entrar',
    notes: [
      'Si no recuerdas la contraseña, en la misma página puedes elegir una nueva.',
      'Si no fuiste tú, puedes ignorar este correo. Tu cuenta sigue como estaba.',
    ],
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: (name) => `У вас уже есть аккаунт ${name}`,
    intro: (name) =>
      `Кто-то, скорее всего вы, хотел создать аккаунт ${name} с этим адресом. Он уже есть, просто войдите:`,
    button: 'Войти',
    notes: [
      'Если вы не помните пароль, на той же странице можно задать новый.',
      'Если это были не вы, не обращайте внимания на это письмо: с вашим аккаунтом ничего не произошло.',
    ],
    closing: 'До встречи,',
  },
};

/** Written instead of a sign-up code to an address that has an account: only its owner learns that it has one. */
export function accountExistsMail(brand: Brand, language: Language): MailText {
  return linkMail(brand, language, words[language], `${brand.origin}/login?la=${language}`);
}
