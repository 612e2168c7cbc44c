import { OperatorError } from '../command.ts';

/** A record of a CSV file, and the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

const separators = [',', ';', '\t'] as const;

/**
 * Reads CSV by RFC 4180 from parts of a text: quoted cells may contain separators, quotes and line breaks. A byte order
 * mark, any kind of line break and empty lines are accepted; the separator is the most frequent one of the first line.
 * Throws `OperatorError` for text after a closing quote, and for a quote that is not closed. A library was tried: csv-parse
 * 7.0.3 accepts a quote inside a plain cell (an inch sign) only together with text after a closing quote, and counts a
 * line break of two characters inside of a cell as two lines.
 */
export async function* readCsv(parts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const parser = new CsvParser();
  for await (const part of parts) yield* parser.read(part);
  yield* parser.end();
}

type State = 'start' | 'plain' | 'quoted' | 'closed';

class CsvParser {
  private separator: string | undefined;
  /** the text of the first line, until its separator is known */
  private head = '';
  private state: State = 'start';
  private cell = '';
  private cells: string[] = [];
  private line = 1;
  private begunAt = 1;
  private afterReturn = false;

  *read(part: string): Generator<CsvRecord> {
    if (this.separator !== undefined) {
      yield* this.parse(part);
      return;
    }
    this.head += part;
    if (/[\r\n]/.test(this.head)) yield* this.parseHead();
  }

  *end(): Generator<CsvRecord> {
    if (this.separator === undefined) yield* this.parseHead();
    if (this.state === 'quoted') throw this.problem('a quote is not closed', this.begunAt);
    yield* this.endRecord();
  }

  private *parseHead(): Generator<CsvRecord> {
    const text = this.head.replace(/^\uFEFF/, '');
    const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/);
    const count = (separator: string) => first.split(separator).length;
    this.separator = separators.reduce((best, one) => (count(one) > count(best) ? one : best));
    this.head = '';
    yield* this.parse(text);
  }

  private *parse(text: string): Generator<CsvRecord> {
    for (const character of text) {
      const isLineFeed = character === '\n';
      // a line feed after a carriage return belongs to the same line break
      const isSecondHalf = isLineFeed && this.afterReturn;
      this.afterReturn = character === '\r';
      if ((isLineFeed || character === '\r') && !isSecondHalf) this.line += 1;
      if (this.state === 'quoted') this.readQuoted(character);
      else if (isLineFeed || character === '\r') {
        if (!isSecondHalf) yield* this.endRecord();
      } else this.readPlain(character);
      if (this.cells.length === 0 && this.state === 'start') this.begunAt = this.line;
    }
  }

  private readQuoted(character: string): void {
    if (character === '"') this.state = 'closed';
    else this.cell += character;
  }

  private readPlain(character: string): void {
    if (character === this.separator) this.endCell();
    else if (character === '"' && this.state === 'start') this.state = 'quoted';
    else if (character === '"' && this.state === 'closed') {
      this.cell += '"';
      this.state = 'quoted';
    } else if (this.state === 'closed') throw this.problem('text follows a closing quote', this.line);
    else {
      this.cell += character;
      this.state = 'plain';
    }
  }

  private endCell(): void {
    this.cells.push(this.cell);
    this.cell = '';
    this.state = 'start';
  }

  private *endRecord(): Generator<CsvRecord> {
    const isEmpty = this.cells.length === 0 && this.state === 'start';
    if (isEmpty) return;
    this.endCell();
    const { cells, begunAt: line } = this;
    this.cells = [];
    yield { line, cells };
  }

  private problem(what: string, line: number): OperatorError {
    return new OperatorError(`The file is no CSV: ${what} (line ${line}).`);
  }
}
