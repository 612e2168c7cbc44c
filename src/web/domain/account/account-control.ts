import type { ChangeEvent } from 'react';

/** The account fields of a form. Both values are stored, so that changing the tab loses nothing. */
export type AccountValues = Readonly<{ account: string; phone: string; areaCode: string }>;

type Name = keyof AccountValues;

/** The part of `useForm` that the account fields need. */
export interface AccountControl {
  readonly values: AccountValues;
  readonly errors: Readonly<Partial<Record<Name, string>>>;
  readonly setValue: (name: Name, value: string) => void;
  readonly clearErrors: () => void;
  readonly register: (
    name: Name,
    options?: { readonly setValueAs?: (text: string) => string },
  ) => {
    name: string;
    value: string;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    onBlur: () => void;
  };
}
