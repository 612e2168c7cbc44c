import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut, type MailText } from './mail-text.ts';

interface Words {
  subject: (name: string) => string;
  paragraphs: readonly string[];
  button: string;
  closing: string;
}

const words: Record<Language, Words> = {
  en: {
    subject: (name) => `Welcome to ${name}`,
    paragraphs: [
      'Your account is ready. You can choose a plan now and watch on your phone, TV box or smart TV.',
      'If you did not create this account, please answer this mail and we will remove it.',
    ],
    button: 'See the plans',
    closing: 'See you soon,',
  },
  pt: {
    subject: (name) => `Boas-vindas à ${name}`,
    paragraphs: [
      'Sua conta está pronta. Agora é só escolher um plano e assistir no celular, na TV box ou na Smart TV.',
      'Se você não criou esta conta, responda a este e-mail e nós a removeremos.',
    ],
    button: 'Ver os planos',
    closing: 'Até logo,',
  },
  es: {
    subject: (name) => `Te damos la bienvenida a ${name}`,
    paragraphs: [
      'Tu cuenta está lista. Ya puedes elegir un plan y disfrutarlo en el teléfono, la TV box o la smart TV.',
      'Si no creaste esta cuenta, responde a este correo y la eliminaremos.',
    ],
    button: 'Ver los planes',
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: (name) => `Добро пожаловать в ${name}`,
    paragraphs: [
      'Учётная запись готова. Выберите тариф и смотрите на телефоне, ТВ-приставке или Smart TV.',
      'Если вы не создавали эту запись, ответьте на это письмо, и мы её удалим.',
    ],
    button: 'Посмотреть тарифы',
    closing: 'До встречи,',
  },
};

/** Greets a new customer. */
export function welcomeMail(brand: Brand, language: Language): MailText {
  const { subject, paragraphs, button, closing } = words[language];
  const url = `${brand.origin}/pricing-table?la=${language}`;
  return layOut(brand, language, { subject: subject(brand.name), paragraphs, button: { label: button, url }, closing });
}
