/** The content of an input before it is formatted. */
export interface Edit {
  readonly text: string;
  readonly caret: number;
  /** of the browser's event, such as `deleteContentBackward` */
  readonly inputType?: string | undefined;
}

/** The characters that formatting adds and removes. */
const separators = /[\s().,/-]/g;

const significant = (text: string) => text.replaceAll(separators, '').toLowerCase();

/** The caret position for `shown`, which is the text of `edit` after formatting. */
export function caretAfter({ text, caret, inputType = '' }: Edit, shown: string): number {
  const before = text.slice(0, caret);
  const after = text.slice(caret);
  const isBackward = inputType.startsWith('delete') && !inputType.endsWith('Forward');
  const isPrefix = shown.startsWith(before);
  const isSuffix = shown.endsWith(after);
  // at a separator that is added again, the caret moves past it in the direction of the key
  if (isPrefix && (isBackward || !isSuffix)) return caret;
  if (isSuffix) return shown.length - after.length;
  const fromEnd = significant(shown).endsWith(significant(after));
  const count = fromEnd ? significant(shown).length - significant(after).length : significant(before).length;
  return placeAfter(shown, count, !isBackward);
}

/** The position after `count` significant characters, and after the separators that follow them. */
function placeAfter(shown: string, count: number, pastSeparators: boolean): number {
  let position = 0;
  for (let left = count; left > 0 && position < shown.length; position += 1)
    if (significant(shown[position] ?? '')) left -= 1;
  const following = /^[\s().,/-]*/.exec(shown.slice(position));
  return pastSeparators ? position + (following?.[0].length ?? 0) : position;
}
