import { describe, expect, it } from 'vitest';
import { bareTexts } from '#tests/fixtures/bare-texts.ts';
import { root, sourcesUnder } from '#tests/fixtures/source-tree.ts';

const samples = 'src/web/tsconfig.samples.json';

/** The texts that the rule finds in a module. */
function found(code: string): string[] {
  const text = bareTexts(samples, {
    [`${root}/${samples}`]: '{ "extends": "./tsconfig.app.json", "include": [], "files": ["samples.tsx"] }',
    [`${root}/src/web/samples.tsx`]: code,
  });
  return text.map((line) => line.replace(/^\S+ /, ''));
}

describe('Translated pages', () => {
  it('have no bare text nodes: each text is the only child of an element', { timeout: 60_000 }, () => {
    expect(bareTexts('src/web/tsconfig.app.json')).toEqual([]);
  });

  it('have the text of each message in an element', () => {
    const sources = sourcesUnder('src/web').filter(({ path }) => path.endsWith('.tsx'));
    const providers = sources.filter(({ code }) => /\b(?:I18nProvider|LinguiContext)\b/.test(code));
    expect(providers.map(({ path }) => path)).toEqual(['src/web/platform/i18n/messages-provider.tsx']);
    expect(providers[0]?.code).toContain('defaultComponent: MessageText');
    const ownRendering = /<(?:Trans|Plural|Select|SelectOrdinal)\b[^>]*\s(?:render|component)=/;
    expect(sources.filter(({ code }) => ownRendering.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('break with each of these components, which the rule finds', { timeout: 60_000 }, () => {
    const code = `
      import type { ReactNode } from 'react';
      const words: string = 'a', some = true, list = ['a'];
      export const Beside = () => <button>{some ? <i /> : null}{words}</button>;
      export const Number = () => <p>{list.length}<b /></p>;
      export const Literal = () => <p>one <b /></p>;
      export const Space = () => <p><b />{' '}<b /></p>;
      export const Zero = () => <p>{list.length && <b />}<b /></p>;
      export const Slot = ({ children }: { children: ReactNode }) => <p><b />{children}</p>;
      export const InFragment = () => <>{words}</>;
      export const InSuspended = () => <Suspense>{words}</Suspense>;
      export const List = () => <p>{list}</p>;
      export const ForComponent = () => <Suspended><i />{words}</Suspended>;
      export function Bare() { return words; }
      export const Arrow = () => words;
      export const named = [function Inner() { return some ? <b /> : words; }];
      const Suspended = ({ children }: { children: ReactNode }) => <p>{children}</p>, Suspense = Suspended;`;
    expect(found(code)).toEqual([
      '{words}',
      '{list.length}',
      'one',
      "{' '}",
      '{list.length && <b />}',
      '{children}',
      '{words}',
      '{words}',
      '{list}',
      '{words}',
      'export function Bare() { return words; }',
      '() => words',
      'function Inner() { return some ? <b /> : words; }',
    ]);
  });

  it('work with each of these components', { timeout: 60_000 }, () => {
    const code = `
      import { Trans } from '@lingui/react/macro';
      import type { Elements } from './ui/elements.ts';
      const words: string = 'a', some = true, list = ['a'];
      export const Only = () => <p>{words}</p>;
      export const Choice = () => <p>{some ? <b /> : words}</p>;
      export const Wrapped = () => <button>{some && <i />}<span>{words}</span></button>;
      export const Message = () => <p>{some ? <b /> : null}<Trans>Pay <b>now, {words}</b> or later</Trans></p>;
      export const Slot = ({ children }: { children: Elements }) => <><b />{children}</>;
      export const List = () => <ul>{list.map((text) => <li key={text}>{text}</li>)}<li /></ul>;`;
    expect(found(code)).toEqual([]);
  });
});
