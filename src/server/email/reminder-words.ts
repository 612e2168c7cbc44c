import type { Language } from '../../contract/fields.ts';

export interface ReminderWords {
  subject: string;
  paragraph: string;
  /** instead of these two, when the shop could not accept the proof of a transfer */
  rejectedSubject: string;
  rejected: string;
  order: string;
  plan: string;
  method: string;
  total: string;
  /** until when, in UTC */
  until: string;
  /** the last day, by the bank's calendar */
  due: string;
  pixCode: string;
  slipLine: string;
  network: string;
  amount: string;
  address: string;
  receiver: string;
  account: string;
  reference: string;
  button: string;
  paid: string;
  closing: string;
}

/** The words of `reminderMail`. */
export const reminderWords: Record<Language, ReminderWords> = {
  en: {
    subject: 'Your order is waiting to be paid',
    paragraph: 'Here is what you need to finish your purchase, as you asked.',
    rejectedSubject: 'We could not accept your proof of payment',
    rejected:
      'We could not find your transfer by the proof that you sent. Please send another one on which amount and reference can be read.',
    order: 'Order',
    plan: 'Plan',
    method: 'Pay by',
    total: 'Total',
    until: 'Pay until (UTC)',
    due: 'Due date',
    pixCode: 'Pix code to copy and paste',
    slipLine: 'Line of the slip, to type or to copy',
    network: 'Network',
    amount: 'Exact amount',
    address: 'Address to send it to',
    receiver: 'Receiver',
    account: 'Account',
    reference: 'Reference to write',
    button: 'Continue payment',
    paid: 'If you have paid already, you do not need to do anything. Please do not pay twice.',
    closing: 'See you soon,',
  },
  pt: {
    subject: 'Seu pedido aguarda o pagamento',
    paragraph: 'Aqui está o que você precisa para concluir a compra, como pediu.',
    rejectedSubject: 'Não pudemos aceitar o seu comprovante',
    rejected:
      'Não encontramos a sua transferência pelo comprovante enviado. Envie outro em que se leiam o valor e a referência, por favor.',
    order: 'Pedido',
    plan: 'Plano',
    method: 'Forma de pagamento',
    total: 'Total',
    until: 'Pague até (UTC)',
    due: 'Vencimento',
    pixCode: 'Código Pix para copiar e colar',
    slipLine: 'Linha digitável do boleto',
    network: 'Rede',
    amount: 'Valor exato',
    address: 'Endereço de envio',
    receiver: 'Favorecido',
    account: 'Conta',
    reference: 'Referência a informar',
    button: 'Continuar pagamento',
    paid: 'Se você já pagou, não precisa fazer nada. Por favor, não pague duas vezes.',
    closing: 'Até logo,',
  },
  es: {
    subject: 'Tu pedido espera el pago',
    paragraph: 'Aquí tienes lo que necesitas para terminar tu compra, como pediste.',
    rejectedSubject: 'No pudimos aceptar tu comprobante',
    rejected:
      'No encontramos tu transferencia con el comprobante que enviaste. Envía otro en el que se lean el importe y la referencia, por favor.',
    order: 'Pedido',
    plan: 'Plan',
    method: 'Medio de pago',
    total: 'Total',
    until: 'Paga hasta (UTC)',
    due: 'Vencimiento',
    pixCode: 'Código Pix para copiar y pegar',
    slipLine: 'Línea del boleto para copiar',
    network: 'Red',
    amount: 'Importe exacto',
    address: 'Dirección de envío',
    receiver: 'Beneficiario',
    account: 'Cuenta',
    reference: 'Referencia que debes escribir',
    button: 'Continuar con el pago',
    paid: 'Si ya pagaste, no tienes que hacer nada. Por favor, no pagues dos veces.',
    closing: 'Hasta pronto,',
  },
  ru: {
    subject: 'Ваш заказ ждёт оплаты',
    paragraph: 'Как вы и просили, вот всё, что нужно для завершения покупки.',
    rejectedSubject: 'Мы не смогли принять ваше подтверждение оплаты',
    rejected:
      'По присланному подтверждению мы не нашли ваш перевод. Пожалуйста, пришлите другое, на котором видны сумма и код перевода.',
    order: 'Заказ',
    plan: 'Тариф',
    method: 'Способ оплаты',
    total: 'Итого',
    until: 'Оплатить до (UTC)',
    due: 'Срок оплаты',
    pixCode: 'Код Pix для копирования',
    slipLine: 'Строка квитанции для копирования',
    network: 'Сеть',
    amount: 'Точная сумма',
    address: 'Адрес для перевода',
    receiver: 'Получатель',
    account: 'Счёт',
    reference: 'Назначение платежа',
    button: 'Продолжить оплату',
    paid: 'Если вы уже заплатили, ничего делать не нужно. Пожалуйста, не платите дважды.',
    closing: 'До встречи,',
  },
};
