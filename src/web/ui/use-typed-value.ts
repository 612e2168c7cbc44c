import { useLayoutEffect, useReducer, useRef, useState, type ChangeEvent, type ComponentProps } from 'react';
import { caretAfter, type Edit } from './caret.ts';

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
