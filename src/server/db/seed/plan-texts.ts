import type { Language } from '../../../contract/fields.ts';

interface PlanText {
  name: string;
  description: string;
  features: string[];
}
type Length = 30 | 180 | 365;

/** Words of the demo plans: by length of the service (days) and number of devices. */
export function planTexts(days: Length, devices: number): Record<Language, PlanText> {
  return {
    pt: portuguese(days, devices),
    en: english(days, devices),
    es: spanish(days, devices),
    ru: russian(days, devices),
  };
}

const family = (devices: number) => devices > 1;

function portuguese(days: Length, devices: number): PlanText {
  const names = { 30: 'Mensal', 180: 'Semestral', 365: 'Anual' };
  const term = { 30: 'um mês', 180: 'seis meses', 365: 'um ano' };
  return {
    name: family(devices) ? `${names[days]} Família` : names[days],
    description: family(devices)
      ? `Assista por ${term[days]} em até ${devices} aparelhos ao mesmo tempo.`
      : `Assista por ${term[days]} em um aparelho por vez.`,
    features: [
      `${days} dias de acesso`,
      family(devices) ? `${devices} aparelhos ao mesmo tempo` : '1 aparelho por vez',
      'Biblioteca na nuvem com o que você adicionou',
      'Continua de onde parou, em qualquer tela',
      'Celular Android, TV box e Smart TV',
    ],
  };
}

function english(days: Length, devices: number): PlanText {
  const names = { 30: 'Monthly', 180: 'Half-year', 365: 'Yearly' };
  const term = { 30: 'one month', 180: 'six months', 365: 'one year' };
  return {
    name: family(devices) ? `${names[days]} Family` : names[days],
    description: family(devices)
      ? `Watch for ${term[days]} on up to ${devices} devices at the same time.`
      : `Watch for ${term[days]} on one device at a time.`,
    features: [
      `${days} days of access`,
      family(devices) ? `${devices} devices at once` : '1 device at a time',
      'Cloud library with everything you added',
      'Picks up where you stopped, on any screen',
      'Android phone, TV box and smart TV',
    ],
  };
}

function spanish(days: Length, devices: number): PlanText {
  const names = { 30: 'Mensual', 180: 'Semestral', 365: 'Anual' };
  const term = { 30: 'un mes', 180: 'seis meses', 365: 'un año' };
  return {
    name: family(devices) ? `${names[days]} Familia` : names[days],
    description: family(devices)
      ? `Disfruta durante ${term[days]} en hasta ${devices} dispositivos a la vez.`
      : `Disfruta durante ${term[days]} en un dispositivo a la vez.`,
    features: [
      `${days} días de acceso`,
      family(devices) ? `${devices} dispositivos a la vez` : '1 dispositivo a la vez',
      'Biblioteca en la nube con lo que agregaste',
      'Sigue donde lo dejaste, en cualquier pantalla',
      'Teléfono Android, TV box y smart TV',
    ],
  };
}

function russian(days: Length, devices: number): PlanText {
  const names = { 30: 'На месяц', 180: 'На полгода', 365: 'На год' };
  const term = { 30: 'целый месяц', 180: 'полгода', 365: 'целый год' };
  return {
    name: family(devices) ? `${names[days]}, семейный` : names[days],
    description: family(devices)
      ? `Смотрите ${term[days]} на нескольких устройствах сразу: до ${devices}.`
      : `Смотрите ${term[days]} на одном устройстве.`,
    features: [
      `${days} дней доступа`,
      family(devices) ? `Устройств одновременно: ${devices}` : 'Одно устройство одновременно',
      'Облачная библиотека со всем, что вы добавили',
      'Продолжение с того же места на любом экране',
      'Телефон Android, ТВ-приставка и Smart TV',
    ],
  };
}
