import { parsePattern, type Node } from './pattern-syntax.ts';

/**
 * [Note: Guarded patterns] Site config brings patterns of strangers (spec 3, validRules). The browser's own matcher
 * cannot be stopped once a slow one has started, so this small one counts its steps and gives up. It knows what rules
 * for addresses and numbers use; a pattern that needs more, or too many steps, is replaced by the built-in rule.
 */
export type BoundedMatch = (text: string) => boolean | 'slow';

const maxPatternLength = 400;
const maxSteps = 20_000;

type Next = (at: number) => boolean;
class TooManySteps extends Error {}

/** undefined when the pattern is broken, or is none that this matcher knows. */
export function boundedPattern(source: string): BoundedMatch | undefined {
  const tree = source.length <= maxPatternLength ? parsePattern(source) : undefined;
  if (!tree) return undefined;
  return (text) => {
    const run = new Run(text);
    try {
      for (let start = 0; start <= text.length; start += 1) if (run.match(tree, start, () => true)) return true;
      return false;
    } catch (thrown) {
      if (thrown instanceof TooManySteps) return 'slow';
      throw thrown;
    }
  };
}

/** One attempt: backtracking by continuations, as `RegExp` does it, with an end. */
class Run {
  readonly #text: string;
  #steps = 0;

  constructor(text: string) {
    this.#text = text;
  }

  match(node: Node, at: number, next: Next): boolean {
    this.#steps += 1;
    if (this.#steps > maxSteps) throw new TooManySteps();
    switch (node.type) {
      case 'one':
        return at < this.#text.length && node.has(this.#text.charAt(at)) && next(at + 1);
      case 'start':
        return at === 0 && next(at);
      case 'end':
        return at === this.#text.length && next(at);
      case 'look':
        return this.match(node.body, at, () => true) === node.wanted && next(at);
      case 'either':
        return node.options.some((option) => this.match(option, at, next));
      case 'sequence':
        return this.#sequence(node.items, 0, at, next);
      case 'repeat':
        return this.#repeat(node, 0, at, next);
    }
  }

  #sequence(items: readonly Node[], index: number, at: number, next: Next): boolean {
    const item = items[index];
    return item ? this.match(item, at, (end) => this.#sequence(items, index + 1, end, next)) : next(at);
  }

  #repeat(node: Extract<Node, { type: 'repeat' }>, count: number, at: number, next: Next): boolean {
    const again = () =>
      count < node.most &&
      // A round that takes nothing would go round for ever.
      this.match(node.body, at, (end) => (end > at || count < node.least) && this.#repeat(node, count + 1, end, next));
    if (count < node.least) return again();
    return node.lazy ? next(at) || again() : again() || next(at);
  }
}
