/** A name, a code or an amount, which a translating browser leaves unchanged. */
export function Untranslated({ text }: { text: string }) {
  return <span translate="no">{text}</span>;
}
