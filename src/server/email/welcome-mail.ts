import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut, type MailText } from './mail-text.ts';

interface Words {
  subject: (name: string) => string;
  ready: string;
  /** before the button that confirms the address, which is good for 24 hours */
  confirm: string;
  stranger: string;
  plans: string;
  confirmButton: string;
  closing: string;
}

const words: Record<Language, Words> = {
  en: {
    subject: (name) => `Welcome to ${name}`,
    ready: 'Your account is ready. You can choose a plan now and watch on your phone, TV box or smart TV.',
    confirm:
      'One thing is left: please confirm that this address is yours, so that you never lose your account. The button works for 24 hours.',
    stranger: 'If you did not create this account, you can ignore this mail.',
    plans: 'See the plans',
    confirmButton: 'Confirm my address',
    closing: 'See you soon,',
  },
  pt: {
    subject: (name) => `Boas-vindas à ${name}`,
    ready: 'Sua conta está pronta. Agora é só escolher um plano e assistir no celular, na TV box ou na Smart TV.',
    confirm:
      'Só falta uma coisa: confirme que este endereço é seu, para nunca perder o acesso à conta. O botão vale por 24 horas.',
    stranger: 'Se você não criou esta conta, pode ignorar este e-mail.',
    plans: 'Ver os planos',
    confirmButton: 'Confirmar meu e-mail',
    closing: 'Até logo,',
  },
  es: {
    subject: (name) => `Te damos la bienvenida a ${name}`,
    ready: 'Tu cuenta está lista. Ya puedes elegir un plan y disfrutarlo en el teléfono, la TV box o la smart TV.',
    confirm:
      'Solo falta una cosa: confirma que esta dirección es tuya, para no perder nunca tu cuenta. El botón sirve durante 24 horas.',
    stranger: 'Si no creaste esta cuenta, puedes ignorar este correo.',
    plans: 'Ver los planes',
    confirmButton: 'Confirmar mi correo',
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: (name) => `Добро пожаловать в ${name}`,
    ready: 'Аккаунт готов. Выберите тариф и смотрите на телефоне, ТВ-приставке или Smart TV.',
    confirm:
      'Осталось одно: подтвердите, что это ваш адрес, чтобы не потерять доступ к аккаунту. Кнопка действует 24 часа.',
    stranger: 'Если вы не создавали этот аккаунт, просто не обращайте внимания на это письмо.',
    plans: 'Посмотреть тарифы',
    confirmButton: 'Подтвердить адрес',
    closing: 'До встречи,',
  },
};

/** Greets a new customer; with the link of `makeMailLink('confirm')` it also asks to confirm the address. */
export function welcomeMail(brand: Brand, language: Language, confirmUrl?: string): MailText {
  const say = words[language];
  const plans = { label: say.plans, url: `${brand.origin}/pricing-table?la=${language}` };
  return layOut(brand, language, {
    subject: say.subject(brand.name),
    paragraphs: confirmUrl === undefined ? [say.ready] : [say.ready, say.confirm],
    button: confirmUrl === undefined ? plans : { label: say.confirmButton, url: confirmUrl },
    notes: [say.stranger],
    closing: say.closing,
  });
}
