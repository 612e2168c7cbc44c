import type { TransRenderProps } from '@lingui/react';
import { cloneElement, Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';
import type { Elements } from '#web/ui/elements.ts';

/**
 * A browser that translates a page puts each text node into a `<font>` of its own. React then fails where it moves or
 * removes that node, and a new text does not reach the page. An element whose only child is a string has neither
 * problem, so every text is one: messages here, other text by `tests/translated-pages.test.ts`.
 */
export function MessageText({ translation }: TransRenderProps): ReactElement {
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
