import { expect, test } from 'vitest';
import { usernameFor } from './new-password-form.tsx';

test('gives a password manager the account that was typed here, if the link may be for it', () => {
  expect(usernameFor('m***@gmail.com', 'Maria@gmail.com')).toBe('Maria@gmail.com');
});

test.each(['ana@gmail.com', 'maria@mail.com', '', undefined])(
  'gives a password manager neither %s nor a masked name',
  (typed) => expect(usernameFor('m***@gmail.com', typed)).toBeUndefined(),
);
