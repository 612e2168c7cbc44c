import { useEffect, type RefObject } from 'react';

/** After each refusal, the first field that is wrong gets the focus, and its error is read out with it. */
export function useFocusFirstInvalid(form: RefObject<HTMLFormElement | null>, refusals: number): void {
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, refusals]);
}
