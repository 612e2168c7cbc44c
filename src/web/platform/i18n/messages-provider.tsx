import type { I18n } from '@lingui/core';
import { LinguiContext, type TransRenderProps } from '@lingui/react';
import {
  cloneElement,
  Fragment,
  isValidElement,
  useMemo,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { Elements } from '#web/ui/elements.ts';
import { copyOfI18n } from './active.ts';

/**
 * Gives components the messages; unlike lingui's own provider, a copy after each change. React hydrates a part of the
 * server's HTML that it has not reached yet with the former context before it renders the new one, and that must still
 * be in the former language.
 */
export function MessagesProvider({ i18n, children }: { i18n: I18n; children: Elements }) {
  const { subscribe, current } = useMemo(() => copies(i18n), [i18n]);
  return <LinguiContext value={useSyncExternalStore(subscribe, current, current)}>{children}</LinguiContext>;
}

/** The context of the last copy. */
function copies(i18n: I18n) {
  const contextOfCopy = () => {
    const copy = copyOfI18n(i18n);
    return { i18n: copy, _: copy.t, defaultComponent: MessageText };
  };
  let context = contextOfCopy();
  const subscribe = (onChange: () => void) =>
    i18n.on('change', () => {
      context = contextOfCopy();
      onChange();
    });
  return { subscribe, current: () => context };
}

/**
 * A browser that translates a page puts each text node into a `<font>` of its own. React then fails where it moves or
 * removes that node, and a new text does not reach the page. An element whose only child is a string has neither
 * problem, so every text is one: messages here, other text by `tests/translated-pages.test.ts`.
 */
function MessageText({ translation }: TransRenderProps): ReactElement {
  return typeof translation === 'string' ? <span>{translation}</span> : <>{inElements(translation)}</>;
}

/** The parts of a message: texts, and the elements that it names. */
function inElements(node: ReactNode): Elements {
  if (typeof node === 'string' || typeof node === 'number') return <span>{node}</span>;
  if (Array.isArray(node)) return node.map((part: ReactNode, index) => withKey(`${index}`, inElements(part)));
  return isValidElement<{ children?: ReactNode }>(node) ? withTextInElements(node) : null;
}

const withKey = (key: string, part: Elements) => <Fragment key={key}>{part}</Fragment>;

function withTextInElements(element: ReactElement<{ children?: ReactNode }>): ReactElement {
  const { children } = element.props;
  const hasBareText = element.type === Fragment || typeof children === 'object';
  return hasBareText ? cloneElement(element, undefined, inElements(children)) : element;
}
