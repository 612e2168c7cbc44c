import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';

const words: Record<Language, string> = {
  en: 'you already have an account with this number. Sign in here:',
  pt: 'você já tem uma conta com este número. Entre aqui:',
  es: 'ya tienes una cuenta con este número. Entra aquí:',
  ru: 'у вас уже есть аккаунт с этим номером. Войдите здесь:',
};

/** Written instead of a sign-up code to a number that has an account. */
export function accountExistsSms(brand: Pick<Brand, 'name' | 'origin'>, language: Language): string {
  return `${brand.name}: ${words[language]} ${brand.origin}/login?la=${language}`;
}
