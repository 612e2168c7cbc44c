import type { ChangeEvent } from 'react';

/** What the account fields of a form hold. Both ways are kept, so that changing the tab loses nothing. */
export type AccountValues = Readonly<{ account: string; phone: string; areaCode: string }>;

type Name = keyof AccountValues;

/** What `useForm` offers, as far as the account fields need it. */
export interface AccountControl {
  readonly values: AccountValues;
  readonly set: (name: Name, value: string) => void;
  readonly startOver: () => void;
  readonly text: (
    name: Name,
    typed?: (text: string) => string,
  ) => {
    name: string;
    value: string;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    onBlur: () => void;
  };
}
