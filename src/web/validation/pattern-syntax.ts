/** What a pattern is made of. `one` matches a single UTF-16 unit. */
export type Node =
  | { readonly type: 'one'; readonly has: (character: string) => boolean }
  | { readonly type: 'start' | 'end' }
  | { readonly type: 'look'; readonly wanted: boolean; readonly body: Node }
  | { readonly type: 'either'; readonly options: readonly Node[] }
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  | {
      readonly type: 'repeat';
      readonly body: Node;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    };

/** Longest first: a class, an escape, a group's opening, a quantifier, an anchor, or any one character. */
const token =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[^1-9kbBpP])|\((?:\?[:=!])?|\{\d+(?:,\d*)?\}|[\s\S]/y;
class UnknownSyntax extends Error {}
const most = 1000;

/**
 * Reads literals, classes, groups, alternation, quantifiers, anchors and lookahead. Answers undefined for anything
 * else: broken patterns, backreferences, lookbehind, named groups, word boundaries, Unicode properties.
 */
export function parsePattern(source: string): Node | undefined {
  const tokens = tokensOf(source);
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  try {
    const tree = reader.alternatives();
    return reader.done ? tree : undefined;
  } catch (thrown) {
    if (thrown instanceof UnknownSyntax) return undefined;
    throw thrown;
  }
}

function tokensOf(source: string): string[] | undefined {
  try {
    // The browser judges the grammar; compiling runs nothing.
    void new RegExp(source);
  } catch {
    return undefined;
  }
  const found: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(source); match; match = token.exec(source)) found.push(match[0]);
  return found;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  alternatives(): Node {
    const first = this.#sequence();
    const options = [first];
    while (this.#takes('|')) options.push(this.#sequence());
    return options.length === 1 ? first : { type: 'either', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (!this.done && this.#peek !== '|' && this.#peek !== ')') items.push(this.#quantified(this.#atom()));
    return { type: 'sequence', items };
  }

  #atom(): Node {
    const text = this.#peek ?? '';
    this.#at += 1;
    if (text.startsWith('(')) return this.#group(text);
    if (text === '^') return { type: 'start' };
    if (text === '$') return { type: 'end' };
    // A lone backslash is an escape that the token list refuses; `(?` opens what we do not know.
    if (text === '\\' || /^[*+?]$/.test(text)) throw new UnknownSyntax();
    return { type: 'one', has: one(text) };
  }

  #group(opening: string): Node {
    const body = this.alternatives();
    if (!this.#takes(')')) throw new UnknownSyntax();
    return opening.length === 1 || opening === '(?:' ? body : { type: 'look', wanted: opening === '(?=', body };
  }

  #quantified(body: Node): Node {
    const range = rangeOf(this.#peek);
    if (!range) return body;
    this.#at += 1;
    return { type: 'repeat', body, ...range, lazy: this.#takes('?') };
  }

  get #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #takes(text: string): boolean {
    if (this.#peek !== text) return false;
    this.#at += 1;
    return true;
  }
}

function rangeOf(text: string | undefined): { least: number; most: number } | undefined {
  if (text === '*') return { least: 0, most };
  if (text === '+') return { least: 1, most };
  if (text === '?') return { least: 0, most: 1 };
  const counted = /^\{(\d+)(,?)(\d*)\}$/.exec(text ?? '');
  if (!counted) return undefined;
  const least = Number(counted[1]);
  return { least, most: counted[2] ? (counted[3] ? Number(counted[3]) : most) : least };
}

/** One class, escape or character, judged by the browser itself: on a single character nothing can be slow. */
function one(text: string): (character: string) => boolean {
  const literal = text.length === 1 && text !== '.' ? `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}` : text;
  const pattern = new RegExp(`^${literal}$`);
  return (character) => pattern.test(character);
}
