import { expect, test } from 'vitest';
import { maskAccount } from './mask.ts';

test.each([
  ['maria@mail.example', 'm***@mail.example'],
  ['m@mail.example', 'm***@mail.example'],
  ['+5511912345678', '55•••••••••78'],
  ['12345', '•••••'],
  ['', ''],
])('%j is shown as %j', (account, masked) => expect(maskAccount(account)).toBe(masked));
