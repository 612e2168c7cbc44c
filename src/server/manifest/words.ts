import type { Language } from '../../contract/fields.ts';

interface ManifestWords {
  readonly description: string;
  readonly orders: string;
  readonly plans: string;
  readonly help: string;
}

/**
 * The few words that the phone shows outside the storefront, next to the app's icon. They are read by the system and
 * not by the page, so the catalogues of the browser cannot reach them.
 */
export const manifestWords = {
  en: { description: 'Plans, payment and account in one place', orders: 'Orders', plans: 'Plans', help: 'Help' },
  pt: { description: 'Planos, pagamento e conta em um só lugar', orders: 'Pedidos', plans: 'Planos', help: 'Ajuda' },
  es: { description: 'Planes, pago y cuenta en un solo lugar', orders: 'Pedidos', plans: 'Planes', help: 'Ayuda' },
  ru: { description: 'Тарифы, оплата и аккаунт в одном месте', orders: 'Заказы', plans: 'Тарифы', help: 'Помощь' },
} as const satisfies Record<Language, ManifestWords>;
