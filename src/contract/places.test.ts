import { expect, test } from 'vitest';
import { brazilianState, isPersonName, isStateName } from './places.ts';

test('a state of Brazil is known by its code and by its name, however it is written', () => {
  for (const text of ['SP', 'sp ', 'São Paulo', 'sao paulo', 'SÃO PAULO']) expect(brazilianState(text)).toBe('SP');
  for (const text of ['', 'XX', 'Paulo', '12', 'Rio']) expect(brazilianState(text)).toBeUndefined();
});

test('a name has letters of any script, and neither digits nor signs', () => {
  for (const name of ['Ana', "O'Neill", 'Anne-Marie', 'José', 'Ольга', 'D’Ávila Jr.', '李', 'Nguyễn Thị']) {
    expect(isPersonName(name), name).toBe(true);
  }
  for (const name of ['', '4242', 'Ana2', 'Ana <b>', 'ana@example.com', '-', 'R$', '😀']) {
    expect(isPersonName(name), name).toBe(false);
  }
});

test('a state elsewhere has letters, and nothing that no address has', () => {
  for (const state of ['New South Wales', 'Île-de-France', 'Región 5']) expect(isStateName(state), state).toBe(true);
  for (const state of ['12', '<b>', '???', 'a@b']) expect(isStateName(state), state).toBe(false);
});
