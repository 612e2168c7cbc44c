import { useEffect, useImperativeHandle, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { ChangeEvent, ComponentProps } from 'react';
import { caretAfter, type Edit } from './caret.ts';

type Input = Pick<ComponentProps<'input'>, 'value' | 'onChange' | 'ref'>;

/**
 * [Note: Caret] What a controlled input needs whose value is formatted while it is typed: the caret stays at the place of
 * the edit, and a composition of an input method (Android) is not disturbed, because its text stays until it ends.
 */
export function useTypedValue({ value, onChange, ref }: Input): Input {
  const input = useRef<HTMLInputElement>(null);
  const edit = useRef<Edit>(undefined);
  const [composed, setComposed] = useState<string>();
  // a value that the form refuses leaves the state as it was, and the input is to be corrected all the same
  const [, render] = useReducer((count: number) => count + 1, 0);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);
  useLayoutEffect(() => {
    if (composed === undefined) placeCaret(input.current, edit.current);
    edit.current = undefined;
  });
  useEffect(() => {
    const { current } = input;
    const end = () => {
      edit.current = editOf(current, undefined);
      setComposed(undefined);
    };
    current?.addEventListener('compositionend', end);
    return () => current?.removeEventListener('compositionend', end);
  }, []);
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const { isComposing, inputType } = event.nativeEvent as Partial<InputEvent>;
    edit.current = editOf(event.target, inputType);
    setComposed(isComposing ? event.target.value : undefined);
    render();
    onChange?.(event);
  };
  return { ref: input, value: composed ?? value, onChange: change };
}

/** Nothing for the types of inputs that have no caret, such as `email`. */
function editOf(input: HTMLInputElement | null, inputType: string | undefined): Edit | undefined {
  const caret = input?.selectionStart;
  return input === null || caret == null ? undefined : { text: input.value, caret, inputType };
}

function placeCaret(input: HTMLInputElement | null, edit: Edit | undefined): void {
  if (!input || !edit || input.value === edit.text || document.activeElement !== input) return;
  const caret = caretAfter(edit, input.value);
  input.setSelectionRange(caret, caret);
}
