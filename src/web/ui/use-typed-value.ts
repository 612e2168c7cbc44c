import { useLayoutEffect, useReducer, useRef, useState, type ChangeEvent, type ComponentProps } from 'react';

type Input = Pick<ComponentProps<'input'>, 'value' | 'onChange'>;

interface EditOfInput extends Edit {
  readonly input: HTMLInputElement;
}

/**
 * For a controlled input whose value is formatted while it is typed: the caret stays at the edit, and the composition
 * of an input method (Android) is not disturbed, because its text stays unchanged until it ends.
 */
export function useTypedValue({ value, onChange }: Input): Input {
  const edit = useRef<EditOfInput>(undefined);
  const [composed, setComposed] = useState<string>();
  // a value that the form rejects leaves the state unchanged, and the input must be corrected all the same
  const [, render] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    if (composed === undefined && edit.current) placeCaret(edit.current);
    edit.current = undefined;
  });
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const { target } = event;
    // as: React sends a change for other events too
    const { isComposing, inputType } = event.nativeEvent as Partial<InputEvent>;
    edit.current = editOf(target, inputType);
    setComposed(isComposing ? target.value : undefined);
    if (isComposing && composed === undefined) {
      const end = () => {
        edit.current = editOf(target, undefined);
        setComposed(undefined);
      };
      target.addEventListener('compositionend', end, { once: true });
    }
    render();
    onChange?.(event);
  };
  return { value: composed ?? value, onChange: change };
}

/** Undefined for types of inputs without a caret, such as `email`. */
function editOf(input: HTMLInputElement, inputType: string | undefined): EditOfInput | undefined {
  const caret = input.selectionStart;
  return caret === null ? undefined : { input, text: input.value, caret, inputType };
}

function placeCaret(edit: EditOfInput): void {
  const { input, text } = edit;
  if (input.value === text || document.activeElement !== input) return;
  const caret = caretAfter(edit, input.value);
  input.setSelectionRange(caret, caret);
}

/** The content of an input before it is formatted. */
interface Edit {
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
