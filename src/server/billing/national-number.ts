/**
 * A number as its own country dials it, without the country's code and the 0 before it (E.164, "national (significant)
 * number"), so that one phone has one spelling however it was typed or filled in. Undefined when it is none: with its
 * country's code a number has 15 digits at most.
 */
export function nationalNumber(typed: string, diallingCode: string): string | undefined {
  const digits = typed.replace(/\D/g, '').replace(/^00/, '');
  // a number of ten digits may begin like the code by chance; with the code before it, it has more
  const hasCode = digits.startsWith(diallingCode) && digits.length > 10;
  const national = (hasCode ? digits.slice(diallingCode.length) : digits).replace(/^0/, '');
  return national.length >= 6 && national.length + diallingCode.length <= 15 ? national : undefined;
}
