import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut, type MailText } from './mail-text.ts';

/** Where somebody signed in from. `at` is epoch milliseconds; device and model may be empty. */
export interface NewSignIn {
  readonly device: string;
  readonly model: string;
  readonly ip: string;
  readonly at: number;
}

interface Words {
  subject: (name: string) => string;
  intro: (name: string) => string;
  device: string;
  unknown: string;
  ip: string;
  time: string;
  advice: readonly string[];
  button: string;
  closing: string;
}

const words: Record<Language, Words> = {
  en: {
    subject: (name) => `New sign-in to ${name}`,
    intro: (name) => `Someone has just signed in to your ${name} account on a device that we have not seen before.`,
    device: 'Device',
    unknown: 'Unknown',
    ip: 'IP address',
    time: 'Time (UTC)',
    advice: [
      'If it was you, all is well and there is nothing to do.',
      'If it was not, set a new password now. That signs out every device.',
    ],
    button: 'Set a new password',
    closing: 'Take care,',
  },
  pt: {
    subject: (name) => `Novo acesso à sua conta ${name}`,
    intro: (name) => `Alguém acabou de entrar na sua conta ${name} em um aparelho que ainda não conhecíamos.`,
    device: 'Aparelho',
    unknown: 'Desconhecido',
    ip: 'Endereço IP',
    time: 'Horário (UTC)',
    advice: [
      'Se foi você, está tudo certo e não é preciso fazer nada.',
      'Se não foi, crie uma nova senha agora. Isso desconecta todos os aparelhos.',
    ],
    button: 'Criar nova senha',
    closing: 'Um abraço,',
  },
  es: {
    subject: (name) => `Nuevo acceso a tu cuenta de ${name}`,
    intro: (name) => `Alguien acaba de entrar en tu cuenta de ${name} desde un dispositivo que no conocíamos.`,
    device: 'Dispositivo',
    unknown: 'Desconocido',
    ip: 'Dirección IP',
    time: 'Hora (UTC)',
    advice: [
      'Si fuiste tú, todo está bien y no tienes que hacer nada.',
      'Si no fuiste tú, crea una contraseña nueva ahora. Así se cierra la sesión en todos los dispositivos.',
    ],
    button: 'Crear una contraseña nueva',
    closing: 'Un saludo,',
  },
  ru: {
    subject: (name) => `Новый вход в ${name}`,
    intro: (name) => `Только что в ваш аккаунт ${name} вошли с устройства, которого мы раньше не видели.`,
    device: 'Устройство',
    unknown: 'Неизвестно',
    ip: 'IP-адрес',
    time: 'Время (UTC)',
    advice: [
      'Если это были вы, всё в порядке и делать ничего не нужно.',
      'Если нет, задайте новый пароль сейчас: это завершит сеансы на всех устройствах.',
    ],
    button: 'Задать новый пароль',
    closing: 'Берегите себя,',
  },
};

const timeIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
/** Made once: making one costs more than all the rest of a mail. */
const times: Record<Language, Intl.DateTimeFormat> = {
  en: timeIn('en'),
  pt: timeIn('pt-BR'),
  es: timeIn('es'),
  ru: timeIn('ru'),
};

/** Tells of a sign-in from a device that is new to the customer. */
export function newSignInMail(brand: Brand, language: Language, { device, model, ip, at }: NewSignIn): MailText {
  const say = words[language];
  return layOut(brand, language, {
    subject: say.subject(brand.name),
    paragraphs: [say.intro(brand.name), ...say.advice],
    rows: [
      [say.device, [device, model].filter((part) => part !== '').join(', ') || say.unknown],
      [say.ip, ip],
      [say.time, times[language].format(at)],
    ],
    button: { label: say.button, url: `${brand.origin}/forgot-password?la=${language}` },
    closing: say.closing,
  });
}
