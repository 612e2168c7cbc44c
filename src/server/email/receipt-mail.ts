import type { Language } from '../../contract/fields.ts';
import { formatMoney, type Money } from '../../contract/money.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut, type MailText } from './mail-text.ts';

/** What a receipt tells. Instants are epoch milliseconds. */
export interface Receipt {
  readonly orderId: string;
  readonly planName: string;
  readonly methodName: string;
  readonly total: Money;
  /** 1 when paid at once */
  readonly installments: number;
  readonly paidAt: number;
  readonly serviceEnd: number;
}

interface Words {
  subject: string;
  paragraph: string;
  order: string;
  plan: string;
  method: string;
  total: string;
  installments: string;
  paid: string;
  until: string;
  button: string;
  closing: string;
}

const words: Record<Language, Words> = {
  en: {
    subject: 'We have received your payment',
    paragraph: 'Thank you. Your payment has arrived and the days are in your account.',
    order: 'Order',
    plan: 'Plan',
    method: 'Paid by',
    total: 'Total',
    installments: 'Installments',
    paid: 'Paid on',
    until: 'Valid until',
    button: 'Open the receipt',
    closing: 'Enjoy,',
  },
  pt: {
    subject: 'Recebemos seu pagamento',
    paragraph: 'Obrigado. Seu pagamento chegou e os dias já estão na sua conta.',
    order: 'Pedido',
    plan: 'Plano',
    method: 'Forma de pagamento',
    total: 'Total',
    installments: 'Parcelas',
    paid: 'Pago em',
    until: 'Válido até',
    button: 'Abrir o recibo',
    closing: 'Aproveite,',
  },
  es: {
    subject: 'Recibimos tu pago',
    paragraph: 'Gracias. Tu pago llegó y los días ya están en tu cuenta.',
    order: 'Pedido',
    plan: 'Plan',
    method: 'Medio de pago',
    total: 'Total',
    installments: 'Cuotas',
    paid: 'Pagado el',
    until: 'Válido hasta',
    button: 'Abrir el recibo',
    closing: 'Que lo disfrutes,',
  },
  ru: {
    subject: 'Мы получили ваш платёж',
    paragraph: 'Спасибо. Платёж пришёл, и дни уже в вашем аккаунте.',
    order: 'Заказ',
    plan: 'Тариф',
    method: 'Способ оплаты',
    total: 'Итого',
    installments: 'Число платежей',
    paid: 'Оплачено',
    until: 'Действует до',
    button: 'Открыть чек',
    closing: 'Приятного просмотра,',
  },
};

const dayIn = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
/** Made once: making one costs more than all the rest of a receipt. */
const days: Record<Language, Intl.DateTimeFormat> = {
  en: dayIn('en'),
  pt: dayIn('pt-BR'),
  es: dayIn('es'),
  ru: dayIn('ru'),
};

/** Confirms a payment that has arrived. */
export function receiptMail(brand: Brand, language: Language, receipt: Receipt): MailText {
  const say = words[language];
  const day = days[language];
  const { orderId, installments } = receipt;
  return layOut(brand, language, {
    subject: `${say.subject} (${orderId})`,
    paragraphs: [say.paragraph],
    rows: [
      [say.order, orderId],
      [say.plan, receipt.planName],
      [say.method, receipt.methodName],
      [say.total, formatMoney(receipt.total, language)],
      ...(installments > 1 ? [[say.installments, String(installments)] as const] : []),
      [say.paid, day.format(receipt.paidAt)],
      [say.until, day.format(receipt.serviceEnd)],
    ],
    button: { label: say.button, url: `${brand.origin}/receipt?orderId=${orderId}` },
    closing: say.closing,
  });
}
