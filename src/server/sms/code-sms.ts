import type { CodeScene } from '../../contract/codes.ts';
import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';

const purposes: Record<Language, Record<CodeScene, (code: string) => string>> = {
  en: {
    login: (code) => `${code} is your code to sign in.`,
    signup: (code) => `${code} is your code to create the account.`,
    reset: (code) => `${code} is your code for a new password.`,
  },
  pt: {
    login: (code) => `${code} é o seu código para entrar.`,
    signup: (code) => `${code} é o seu código para criar a conta.`,
    reset: (code) => `${code} é o seu código para a nova senha.`,
  },
  es: {
    login: (code) => `${code} es tu código para entrar.`,
    signup: (code) => `${code} es tu código para crear la cuenta.`,
    reset: (code) => `${code} es tu código para la contraseña nueva.`,
  },
  ru: {
    login: (code) => `${code} — код для входа.`,
    signup: (code) => `${code} — код для регистрации.`,
    reset: (code) => `${code} — код для нового пароля.`,
  },
};

const advice: Record<Language, string> = {
  en: 'Good for 10 minutes. Never share it.',
  pt: 'Vale por 10 minutos. Não passe a ninguém.',
  es: 'Vale por 10 minutos. No lo compartas.',
  ru: 'Действует 10 минут. Никому его не сообщайте.',
};

/**
 * A code by SMS. The last line binds it to the brand's host, exactly as WebOTP and the systems' own autofill read it
 * (WICG, "Origin-bound one-time codes"): a page of another host is never offered the code.
 */
export function codeSms(
  brand: Pick<Brand, 'name' | 'origin'>,
  language: Language,
  { code, scene }: { code: string; scene: CodeScene },
): string {
  const host = new URL(brand.origin).hostname;
  return `${brand.name}: ${purposes[language][scene](code)} ${advice[language]}\n\n@${host} #${code}`;
}
