import type { InferOutput } from 'valibot';
import type { areaCodes } from '#contract/site.ts';
import { typedToken } from '#contract/typed-text.ts';
import { countryAndPhoneCodeKey } from '#web/platform/session/storage/identity-keys.ts';
import { compiledOnce } from '#web/platform/form/account-rules.ts';

type Listed = InferOutput<typeof areaCodes.result>;

/**
 * Whether a country of the code may have this number, by its length and its beginning. True where that is unknown: the list of
 * countries comes with the field of the number, and the server checks every number.
 */
export function isPossibleNumber(
  { areaCode, phone }: { readonly areaCode: string; readonly phone: string },
  list: Listed = countryAndPhoneCodeKey.get() ?? [],
): boolean {
  const patterns = list.filter((one) => one.areaCode === areaCode && one.pattern !== '').map(({ pattern }) => pattern);
  if (patterns.length === 0 || phone.includes('+')) return true;
  const digits = typedToken(phone).replaceAll(/\D/g, '');
  // a number may be typed with the code that stands before the field again and again, and with zeros around it
  const readings = [digits];
  for (let rest = behindCode(digits, areaCode); rest !== undefined; rest = behindCode(rest, areaCode))
    readings.push(rest);
  readings.push(
    ...readings.flatMap((one) => Array.from(/^0*/.exec(one)?.[0] ?? '', (_, index) => one.slice(index + 1))),
  );
  return patterns.some((pattern) => {
    const rule = compiledOnce(`^(?:${pattern})$`);
    return !rule || readings.some((reading) => rule.test(reading));
  });
}

/** What stands behind the code, with or without zeros before it. */
function behindCode(digits: string, areaCode: string): string | undefined {
  const plain = digits.replace(/^0+/, '');
  return areaCode !== '' && plain.startsWith(areaCode) && plain.length > areaCode.length
    ? plain.slice(areaCode.length)
    : undefined;
}
