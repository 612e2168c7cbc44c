import type { Policies } from '../documents.ts';

export const spanish: Policies = {
  privacy: {
    title: 'Política de privacidad',
    sections: [
      [
        'Quién es responsable',
        '{name} decide por qué y cómo se usan tus datos cuando visitas este sitio, creas una cuenta o compras un plan. Para cualquier duda sobre esta política, escribe a {mail}.',
      ],
      [
        'Qué recopilamos',
        'Tu cuenta: el correo o teléfono con el que te registras, un apodo si lo deseas, tu idioma y tu contraseña en una forma que no se puede volver a leer.',
        'Tus compras: plan, precio, medio de pago, estado y fechas. Si el medio de pago lo pide, también nombre, documento, teléfono y dirección, que van al proveedor de pagos.',
        'Tus accesos: hora, tipo de dispositivo y dirección IP de los últimos accesos, para que veas si otra persona usó tu cuenta.',
        'El uso del sitio: qué páginas se abren y por cuánto tiempo, sin tu nombre, sin lo que escribes y sin direcciones completas de páginas.',
      ],
      [
        'Qué no guardamos nunca',
        'El número y el código de seguridad de tu tarjeta pasan al proveedor de pagos y no los almacenamos ni los registramos.',
      ],
      [
        'Para qué los usamos',
        'Para darte el servicio que pagas, cobrar y devolver pagos, proteger las cuentas contra abusos, cumplir deberes fiscales y contables y, si lo aceptaste, enviarte ofertas. Puedes desactivar las ofertas en tu cuenta en cualquier momento.',
      ],
      [
        'Quién más los ve',
        'Los proveedores de pago y los bancos reciben lo que un pago necesita. Las empresas que operan nuestros servidores y envían nuestros correos siguen nuestras instrucciones. Las autoridades reciben datos solo cuando la ley lo exige. No vendemos tus datos.',
      ],
      [
        'Cuánto tiempo los guardamos',
        'Los datos de la cuenta, mientras exista. Los registros de compra, el tiempo que exige la ley fiscal. Las sesiones terminan a los 10 días.',
      ],
      [
        'Tus derechos',
        'Puedes pedir una copia de tus datos, corregirlos, borrarlos, oponerte a su uso o llevártelos. Escribe a {mail}; respondemos en un máximo de 15 días. También puedes acudir a la autoridad de protección de datos de tu país.',
      ],
      [
        'En tu dispositivo',
        'Este sitio no usa cookies. Guarda en tu dispositivo tu idioma, tu sesión y una copia de planes y pedidos, para abrirse sin conexión. Al cerrar sesión se borra lo que es tuyo.',
      ],
    ],
  },
  terms: {
    title: 'Términos de uso',
    sections: [
      [
        'El servicio',
        '{name} es un reproductor multimedia personal para teléfonos Android, TV box y smart TV. Un plan da acceso durante un número de días y en un número de dispositivos a la vez. No incluye películas, series ni canales: reproduces aquello a lo que tienes derecho.',
      ],
      [
        'Tu cuenta',
        'Necesitas una cuenta para comprar. Indica una dirección verdadera, no compartas tu contraseña y avísanos si otra persona la usa. La cuenta es para ti y tu hogar.',
      ],
      [
        'Precios y pago',
        'El precio que confirmas antes de pagar es el que pagas, con los intereses de las cuotas a la vista. Cuando se indica un plazo, el pago debe llegar antes; después el pedido vence y puedes pagarlo de nuevo.',
      ],
      [
        'Duración',
        'El acceso empieza cuando llega el pago. Un plan comprado mientras otro está activo suma sus días a los que quedan. El plan termina por sí solo.',
      ],
      [
        'Si cambias de opinión',
        'Puedes desistir de la compra en 7 días, o más si tu ley lo prevé. Escribe a {mail} con el número de tu pedido; el dinero vuelve por donde llegó.',
      ],
      [
        'Qué no está permitido',
        'Revender el acceso, eludir el límite de dispositivos, perturbar el servicio o usarlo para vulnerar derechos de otros. En tal caso podemos suspender la cuenta y te diremos por qué.',
      ],
      [
        'Nuestra responsabilidad',
        'Cuidamos que el servicio funcione. Si falla por más de un día, sumamos el tiempo perdido a tu plan. Nada de esto limita los derechos que la ley te da como consumidor.',
      ],
    ],
  },
};
