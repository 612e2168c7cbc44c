import type { Draft } from '../documents.ts';
import { mobileMoney, soon, transfers, wallets } from './ways.ts';

export const spanishHelp: Draft = {
  title: 'Ayuda',
  sections: [
    {
      heading: '¿Cómo compro un plan?',
      paragraphs: [
        'Abre Planes, elige uno y toca Comprar. Inicia sesión o crea una cuenta, elige cómo pagar y confirma. Los días están en tu cuenta en cuanto llega el pago.',
      ],
    },
    {
      heading: '¿Cómo puedo pagar?',
      paragraphs: [
        'Formas de pago: {methods}. Cuáles aparecen depende de la moneda.',
        {
          methods: ['card'],
          text: 'La tarjeta se confirma en segundos. Tu banco puede pedirte que autorices en una página suya.',
        },
        {
          methods: ['pix'],
          text: 'Con Pix, escanea el código en la aplicación de tu banco o cópialo allí. Se confirma en minutos.',
        },
        {
          methods: ['boleto'],
          text: 'Un Boleto se puede pagar en la aplicación del banco o en caja hasta el final del día de vencimiento. Tarda hasta tres días hábiles en llegar.',
        },
        { methods: ['paypal'], text: 'PayPal abre su propia página. Autoriza allí y vuelves aquí automáticamente.' },
        {
          methods: wallets,
          text: 'La billetera abre su propia página o aplicación. Autoriza allí y vuelves aquí automáticamente.',
        },
        {
          methods: ['crypto'],
          text: 'Con criptomonedas, elige una y envía exactamente el importe indicado a la dirección indicada. Cuenta cuando la red lo ha confirmado.',
        },
        {
          methods: transfers,
          text: 'En una transferencia, envía el importe con la referencia indicada y luego mándanos una imagen del comprobante. Una persona lo revisa, lo que puede tardar un día hábil.',
        },
        {
          methods: mobileMoney,
          text: 'Con dinero móvil, escribe el número que paga y autoriza en ese teléfono con tu PIN. Algunos operadores dan un código, que se escribe aquí.',
        },
      ],
    },
    {
      heading: 'Pagué y nada cambió',
      paragraphs: [
        'Abre Pedidos: un pago pendiente o en revisión no necesita nada más de ti, así que no pagues otra vez. Cambia por sí solo.',
        { methods: soon, text: 'Si sigue pendiente una hora después de pagar, escríbenos con el número de tu pedido.' },
        { methods: ['boleto'], text: 'Un Boleto puede tardar tres días hábiles.' },
        { methods: ['crypto'], text: 'Las monedas necesitan antes algunas confirmaciones de su red.' },
        { methods: transfers, text: 'Una transferencia espera a la persona que la revisa, un día hábil como máximo.' },
      ],
    },
    {
      heading: 'Rechazaron mi tarjeta',
      paragraphs: [
        'El mensaje junto a la tarjeta dice qué se puede corregir. Revisa el número, la fecha y el código de seguridad, prueba otra tarjeta o elige otro medio. Un pago rechazado no se cobra.',
      ],
      methods: ['card'],
    },
    {
      heading: 'El código Pix venció',
      paragraphs: [
        'Abre el pedido y toca "Generar un código nuevo". Si pagaste el código anterior en el último momento, el pago también se reconoce.',
      ],
      methods: ['pix'],
    },
    {
      heading: 'Mi teléfono no pregunta nada',
      paragraphs: [
        'Comprueba que el teléfono esté encendido y con señal, y que el número sea el suyo. Si no llega nada, abre el pedido e inténtalo de nuevo: no se cobra nada antes de que autorices con tu PIN.',
      ],
      methods: mobileMoney,
    },
    {
      heading: 'Envié menos criptomonedas que el importe',
      paragraphs: ['Abre el pedido: dice cuánto falta todavía, y la misma dirección recibe el resto.'],
      methods: ['crypto'],
    },
    {
      heading: '¿En cuántos dispositivos puedo ver?',
      paragraphs: [
        'En tantos a la vez como indique tu plan. Con un plan para varios dispositivos activo, un plan para un dispositivo se puede comprar cuando el actual termine.',
      ],
    },
    {
      heading: 'Olvidé mi contraseña',
      paragraphs: [
        'Tú mismo eliges una nueva: indica el correo o el número de tu cuenta y enviamos allí un código o un enlace. Nunca pedimos tu contraseña.',
      ],
      link: { to: '/forgot-password', text: 'Elegir una contraseña nueva' },
    },
    {
      heading: '¿Cómo los contacto?',
      paragraphs: ['Por correo a {mail}, todos los días de 9 a 21 h. Si tienes un pedido, indica su número.'],
    },
  ],
};
