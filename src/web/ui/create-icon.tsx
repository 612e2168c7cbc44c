import { createElement, type ComponentType, type SVGProps } from 'react';

/** An icon as lucide describes it. */
interface IconLines {
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * What the build makes icons with, in the place of lucide's own component (`.scripts/lean-icons.ts`). How they are drawn is said
 * once, in `tokens.css`: nine attributes of each icon were a part of what a new page waits for.
 */
export function createIcon({ node }: IconLines): ComponentType<SVGProps<SVGSVGElement>> {
  // made once; a list without keys would be looked at child by child
  const lines = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon({ className, ...others }) {
    return createElement(
      'svg',
      {
        viewBox: '0 0 24 24',
        className: className ? `lucide ${className}` : 'lucide',
        'aria-hidden': true,
        ...others,
      },
      ...lines,
    );
  };
}
