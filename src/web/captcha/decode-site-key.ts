import * as v from 'valibot';
import { siteKeySchema } from '../../contract/captcha.ts';

/** The site key as its provider has it; undefined for what is no base64, or no key once it is decoded. */
export function decodeSiteKey(encoded: string): string | undefined {
  try {
    const parsed = v.safeParse(siteKeySchema, atob(encoded));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // atob throws at what is no base64, which is then no key either
    return undefined;
  }
}
