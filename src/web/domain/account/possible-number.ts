import type { InferOutput } from 'valibot';
import type { areaCodes } from '#contract/site.ts';
import { normalizeToken } from '#contract/normalize-text.ts';
import { countryAndPhoneCodeKey } from '#web/platform/session/storage/identity-keys.ts';
import { compiledOnce } from '#web/platform/form/account-rules.ts';

type Listed = InferOutput<typeof areaCodes.result>;

/**
 * Whether a country with this code may have this number, by length and first digits. True if unknown: the list of
 * countries is loaded with the phone field, and the server checks every number.
 */
export function isPossibleNumber(
  { areaCode, phone }: { readonly areaCode: string; readonly phone: string },
  list: Listed = countryAndPhoneCodeKey.get() ?? [],
): boolean {
  const patterns = list.filter((one) => one.areaCode === areaCode && one.pattern !== '').map(({ pattern }) => pattern);
  if (patterns.length === 0 || phone.includes('+')) return true;
  const digits = normalizeToken(phone).replaceAll(/\D/g, '');
  // the number may repeat the code that precedes the field, and have leading zeros
  const readings = [digits];
  for (let rest = withoutCode(digits, areaCode); rest !== undefined; rest = withoutCode(rest, areaCode))
    readings.push(rest);
  readings.push(
    ...readings.flatMap((one) => Array.from(/^0*/.exec(one)?.[0] ?? '', (_, index) => one.slice(index + 1))),
  );
  return patterns.some((pattern) => {
    const rule = compiledOnce(`^(?:${pattern})$`);
    return !rule || readings.some((reading) => rule.test(reading));
  });
}

/** The digits after the code, with or without leading zeros. */
function withoutCode(digits: string, areaCode: string): string | undefined {
  const plain = digits.replace(/^0+/, '');
  return areaCode !== '' && plain.startsWith(areaCode) && plain.length > areaCode.length
    ? plain.slice(areaCode.length)
    : undefined;
}
