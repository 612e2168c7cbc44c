import { expect, test } from 'vitest';
import { usernameFor } from './new-password-form.tsx';

test('a password manager hears of the account that was typed here, when it can be the one of the link', () => {
  expect(usernameFor('m***@gmail.com', 'Maria@gmail.com')).toBe('Maria@gmail.com');
});

test.each(['ana@gmail.com', 'maria@mail.com', '', undefined])(
  'it does not hear of %s, nor ever of a masked name',
  (typed) => expect(usernameFor('m***@gmail.com', typed)).toBeUndefined(),
);
