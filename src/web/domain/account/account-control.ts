import type { ChangeEvent } from 'react';

/** What the account fields of a form hold. Both ways are kept, so that changing the tab loses nothing. */
export type AccountValues = Readonly<{ account: string; phone: string; areaCode: string }>;

type Name = keyof AccountValues;

/** What `useForm` offers, as far as the account fields need it. */
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
