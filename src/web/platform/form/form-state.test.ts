import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  freshForm,
  deferred,
  isDirty,
  placeAtInput,
  problemOf,
  refused,
  withoutErrors,
  withTouched,
  withResetField,
  withValue,
  type FormState,
  type Problems,
} from './form-state.ts';

const empty = { email: '', agreed: false };
type Values = typeof empty;
type State = FormState<Values>;
const missing = () => 'missing';
const taken = () => 'taken';
const check = (values: Values): Problems<Values> => (values.email ? {} : { email: missing });

test('nobody is told off before they have left a field', () => {
  const start = freshForm(empty);
  expect(problemOf(start, 'email', check)).toBeUndefined();
  expect(problemOf(withTouched(start, 'email'), 'email', check)).toBe(missing);
});

test('after the first try every field is judged', () => {
  expect(problemOf(refused(freshForm(empty), {}), 'email', check)).toBe(missing);
});

test('what the server refused stands until its field changes', () => {
  const typed = withValue(freshForm(empty), 'email', 'ana@example.com');
  const answer = refused(typed, { fields: { email: taken } });
  expect(problemOf(answer, 'email', check)).toBe(taken);
  expect(problemOf(withValue(answer, 'agreed', true), 'email', check)).toBe(taken);
  expect(problemOf(withValue(answer, 'email', 'eva@example.com'), 'email', check)).toBeUndefined();
});

test('a summary goes away as soon as something is changed', () => {
  const answer = refused(freshForm(empty), { summary: taken });
  expect(answer.refusal.summary).toBe(taken);
  expect(withValue(answer, 'email', 'a').refusal.summary).toBeUndefined();
});

test('another question in the place of the first is not wrong before it was answered, and nothing typed is lost', () => {
  const answer = refused(withValue(freshForm(empty), 'agreed', true), { fields: { email: taken }, summary: taken });
  const fresh = withoutErrors(answer);
  expect(problemOf(fresh, 'email', check)).toBeUndefined();
  expect(fresh.refusal.summary).toBeUndefined();
  expect(fresh.values).toEqual({ email: '', agreed: true });
});

test('a field that starts anew is empty and not called wrong until it is left or the form is sent again', () => {
  const answer = refused(withValue(freshForm(empty), 'email', 'ana'), { fields: { email: taken } });
  const anew = withResetField(withTouched(answer, 'email'), 'email');
  expect(anew.values.email).toBe('');
  expect(problemOf(anew, 'email', check)).toBeUndefined();
  expect(problemOf(withTouched(anew, 'email'), 'email', check)).toBe(missing);
  expect(problemOf(refused(anew), 'email', check)).toBe(missing);
  expect(problemOf(refused(anew, { summary: taken }), 'email', check)).toBeUndefined();
});

test('what comes before the form, such as a code that is sent first, makes no field wrong', () => {
  expect(problemOf(deferred(freshForm(empty)), 'email', check)).toBeUndefined();
});

test('a form is dirty while it differs from how it began', () => {
  expect(isDirty(empty, empty)).toBe(false);
  expect(isDirty({ ...empty, agreed: true }, empty)).toBe(true);
});

test('a field that was left and has been emptied since by a success is not called wrong', () => {
  const typed = withValue(freshForm(empty), 'email', 'ana@example.com');
  const done = withValue(withoutErrors(typed), 'email', '');
  expect(problemOf(withTouched(done, 'email', 'ana@example.com'), 'email', check)).toBeUndefined();
  const anew = withResetField(typed, 'email');
  expect(problemOf(withTouched(anew, 'email', 'ana@example.com'), 'email', check)).toBeUndefined();
});

test('nothing is red after a success, whatever was refused, left and typed before it', () => {
  const text = fc.constantFrom('', 'ana', 'ana@example.com');
  const step = fc.oneof(
    text.map((email) => (state: State) => withValue(state, 'email', email)),
    text.map((email) => (state: State) => withTouched(state, 'email', email)),
    fc.constant((state: State) => refused(state)),
    fc.constant((state: State) => refused(state, { fields: { email: taken }, summary: taken })),
    fc.constant((state: State) => withResetField(state, 'email')),
    fc.constant((state: State) => deferred(state)),
  );
  const late = text.filter((email) => email !== '');
  fc.assert(
    fc.property(fc.array(step), late, (steps, left) => {
      const before = steps.reduce<State>((state, act) => act(state), freshForm(empty));
      // a form that stays empties its field; the field is left by the tap that sent it, and judged a moment later
      const after = withTouched(withValue(withoutErrors(before), 'email', ''), 'email', left);
      expect(problemOf(after, 'email', check)).toBeUndefined();
      expect(after.refusal.summary).toBeUndefined();
    }),
  );
});

test('an error is shown at the input of its field that is on the screen, else above the form', () => {
  type Account = Readonly<{
    account: string;
    phone: string;
    areaCode: string;
    currentPassword: string;
    password: string;
  }>;
  const at = (field: 'account' | 'phone' | 'areaCode' | 'password', ...shown: string[]) =>
    placeAtInput<Account>({ summary: taken, field }, (name) => shown.includes(name));
  expect(at('account', 'account', 'password').fields).toEqual({ account: taken });
  expect(at('account', 'phone', 'areaCode').fields).toEqual({ phone: taken });
  expect(at('phone', 'phone', 'areaCode').fields).toEqual({ phone: taken });
  expect(at('areaCode', 'phone', 'areaCode').fields).toEqual({ areaCode: taken });
  expect(at('areaCode', 'account').fields).toEqual({ account: taken });
  expect(at('password', 'currentPassword', 'password').fields).toEqual({ currentPassword: taken });
  expect(at('password', 'account')).toEqual({ summary: taken, field: 'password' });
  expect(placeAtInput<Account>({ summary: taken }, () => true)).toEqual({ summary: taken });
});
