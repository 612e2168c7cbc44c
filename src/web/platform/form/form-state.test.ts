import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  freshForm,
  deferred,
  isDirty,
  placeAtInput,
  problemOf,
  withProblems,
  withRefusal,
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

test('a field shows no error before the customer has left it', () => {
  const start = freshForm(empty);
  expect(problemOf(start, 'email', check)).toBeUndefined();
  expect(problemOf(withTouched(start, 'email'), 'email', check)).toBe(missing);
});

test('every field is validated after the first submit', () => {
  expect(problemOf(withRefusal(freshForm(empty), {}), 'email', check)).toBe(missing);
  const refused = withProblems(freshForm(empty), check(empty));
  expect(problemOf(refused, 'email', check)).toBe(missing);
  expect(problemOf(withValue(refused, 'email', 'ana@example.com'), 'email', check)).toBeUndefined();
});

test('a repetition that was empty at the submit is wrong once it was left, not while it or the password is typed', () => {
  type Typed = Readonly<{ password: string; repeated: string; agreed: boolean }>;
  const checkBoth = (values: Typed): Problems<Typed> => ({
    password: values.password === '' ? missing : undefined,
    repeated: values.password === values.repeated ? undefined : taken,
    agreed: values.agreed ? undefined : missing,
  });
  const problemIn = (state: FormState<Typed>, name: keyof Typed) => problemOf(state, name, checkBoth);
  const start = freshForm<Typed>({ password: '', repeated: '', agreed: true });
  const typed = withValue(withProblems(start, checkBoth(start.values)), 'password', 's');
  expect(problemIn(typed, 'repeated')).toBeUndefined();
  const repeating = withValue(typed, 'repeated', 'x');
  expect(problemIn(repeating, 'repeated'), 'while it is typed').toBeUndefined();
  expect(problemIn(withTouched(repeating, 'repeated'), 'repeated'), 'when it was typed and left').toBe(taken);
  expect(problemIn(withTouched(typed, 'repeated'), 'repeated'), 'when it was left').toBe(taken);
  expect(problemIn(withProblems(typed, checkBoth(typed.values)), 'repeated'), 'at the next submit').toBe(taken);
  expect(problemIn(withRefusal(typed, {}), 'repeated'), 'when the server refused the form').toBe(taken);
  expect(problemIn(withValue(typed, 'agreed', false), 'agreed'), 'a box that is unticked').toBe(missing);
});

test('the server’s error stays until its field changes', () => {
  const typed = withValue(freshForm(empty), 'email', 'ana@example.com');
  const answer = withRefusal(typed, { fields: { email: taken } });
  expect(problemOf(answer, 'email', check)).toBe(taken);
  expect(problemOf(withValue(answer, 'agreed', true), 'email', check)).toBe(taken);
  expect(problemOf(withValue(answer, 'email', 'eva@example.com'), 'email', check)).toBeUndefined();
});

test('the form’s error disappears as soon as a field changes', () => {
  const answer = withRefusal(freshForm(empty), { summary: taken });
  expect(answer.refusal.summary).toBe(taken);
  expect(withValue(answer, 'email', 'a').refusal.summary).toBeUndefined();
});

test('the next step of a form shows no error before it was answered, and typed input is not lost', () => {
  const answer = withRefusal(withValue(freshForm(empty), 'agreed', true), { fields: { email: taken }, summary: taken });
  const fresh = withoutErrors(answer);
  expect(problemOf(fresh, 'email', check)).toBeUndefined();
  expect(fresh.refusal.summary).toBeUndefined();
  expect(fresh.values).toEqual({ email: '', agreed: true });
});

test('a reset field is empty and shows no error until it is left or the form is submitted again', () => {
  const answer = withRefusal(withValue(freshForm(empty), 'email', 'ana'), { fields: { email: taken } });
  const anew = withResetField(withTouched(answer, 'email'), 'email');
  expect(anew.values.email).toBe('');
  expect(problemOf(anew, 'email', check)).toBeUndefined();
  expect(problemOf(withTouched(anew, 'email'), 'email', check)).toBe(missing);
  expect(problemOf(withProblems(anew, check(anew.values)), 'email', check)).toBe(missing);
  expect(problemOf(withRefusal(anew, { summary: taken }), 'email', check)).toBeUndefined();
});

test('a preceding step, such as sending a code, shows no field error', () => {
  expect(problemOf(deferred(freshForm(empty)), 'email', check)).toBeUndefined();
});

test('a form is dirty while it differs from how it began', () => {
  expect(isDirty(empty, empty)).toBe(false);
  expect(isDirty({ ...empty, agreed: true }, empty)).toBe(true);
});

test('a field that was left and then emptied by a success shows no error', () => {
  const typed = withValue(freshForm(empty), 'email', 'ana@example.com');
  const done = withValue(withoutErrors(typed), 'email', '');
  expect(problemOf(withTouched(done, 'email', 'ana@example.com'), 'email', check)).toBeUndefined();
  const anew = withResetField(typed, 'email');
  expect(problemOf(withTouched(anew, 'email', 'ana@example.com'), 'email', check)).toBeUndefined();
});

test('no field shows an error after a success, whatever was refused, left and typed before', () => {
  const text = fc.constantFrom('', 'ana', 'ana@example.com');
  const step = fc.oneof(
    text.map((email) => (state: State) => withValue(state, 'email', email)),
    text.map((email) => (state: State) => withTouched(state, 'email', email)),
    fc.constant((state: State) => withProblems(state, check(state.values))),
    fc.constant((state: State) => withRefusal(state, { fields: { email: taken }, summary: taken })),
    fc.constant((state: State) => withResetField(state, 'email')),
    fc.constant((state: State) => deferred(state)),
  );
  const late = text.filter((email) => email !== '');
  fc.assert(
    fc.property(fc.array(step), late, (steps, left) => {
      const before = steps.reduce<State>((state, act) => act(state), freshForm(empty));
      // a form that stays open empties its field; the tap that submitted it blurs the field, and the blur is recorded
      // later
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
