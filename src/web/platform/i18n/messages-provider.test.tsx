import { useLingui } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { copyOfI18n, createI18n } from './active.ts';
import { dayText } from './day-text.ts';
import { MessagesProvider } from './messages-provider.tsx';

/** Half past midnight in Berlin, on the previous day in New York. */
const night = Date.UTC(2026, 10, 25, 23, 30);

function Day() {
  const { i18n } = useLingui();
  return <p>{dayText(i18n, night)}</p>;
}

test.each([
  ['Europe/Berlin', 'November 26, 2026'],
  ['America/New_York', 'November 25, 2026'],
])('a component shows days in the time zone of the brand: %s', (timeZone, day) => {
  const page = (
    <MessagesProvider i18n={createI18n('en', {}, timeZone)}>
      <Day />
    </MessagesProvider>
  );
  expect(renderToStaticMarkup(page)).toBe(`<p>${day}</p>`);
});

test('a copy of the messages keeps its language, its messages and its time zone', () => {
  const i18n = createI18n('en', { hello: 'Hello' }, 'Europe/Berlin');
  const copy = copyOfI18n(i18n);
  i18n.loadAndActivate({ locale: 'pt', messages: { hello: 'Olá' } });
  i18n.load('en', { hello: 'Hi' });
  expect([copy.locale, copy._('hello'), dayText(copy, night)]).toEqual(['en', 'Hello', 'November 26, 2026']);
});
