/** What is left of a typed or pasted code: its digits, as many as it has. */
export const otpDigits = (text: string, digits: number): string => text.replaceAll(/\D/g, '').slice(0, digits);

/** Whether to send now: once for each code that is completed, however often the field is drawn. */
export function sendsItself(sent: string | undefined, code: string, digits: number): boolean {
  return code.length === digits && code !== sent;
}
