import * as v from 'valibot';
import { ownPathSchema, text } from '#contract/fields.ts';
import type { StoredDocument } from '#server/db/connect.ts';
import type { Problem } from './read-yaml.ts';

/**
 * Documents have a title, sections, paragraphs separated by empty lines, and no other markup: text is shown as it is.
 * `<!-- for: card, pix -->` above a heading or a paragraph limits it to brands that offer one of these methods; a
 * paragraph that is only a link to a page of the shop becomes the link of its section.
 */
interface Block {
  readonly line: number;
  readonly text: string;
}
type Section = StoredDocument['sections'][number];
type Draft = {
  heading: string;
  paragraphs: Section['paragraphs'][number][];
  methods?: string[];
  link?: Section['link'];
};

const headMark = /^---\n(?:.*\n)*?---\n/;
const forMethods = /^<!-- *for: *([a-z\d, -]+?) *-->$/;
const linkAlone = /^\[([^\]]+)\]\(([^)\s]+)\)$/;

const lengths = { title: 120, heading: 160, paragraph: 2000, link: 80 } as const;

/** Reads a document; `said` fills in the brand's values, such as `{name}`. */
export function readMarkdown(
  file: string,
  source: string,
  said: (text: string) => string,
): { document: StoredDocument | undefined; problems: Problem[] } {
  const problems: Problem[] = [];
  const wrong = (line: number, message: string) => void problems.push({ file, line, message });
  const whole = source.replaceAll('\r\n', '\n');
  const head = headMark.exec(whole)?.[0] ?? '';
  const updatedAt = Date.parse(/^updated: *(\d{4}-\d{2}-\d{2})(T\S+)?$/m.exec(head)?.slice(1).join('') ?? '');
  if (Number.isNaN(updatedAt))
    wrong(1, 'begins with the day of its last change between two lines of ---: updated: 2026-11-01');
  const blocks = blocksOf(whole.slice(head.length), head.split('\n').length);
  const [first, ...rest] = blocks;
  if (!first?.text.startsWith('# ')) wrong(first?.line ?? 1, 'begins with its title: # Title');
  const title = said(first?.text.slice(2).trim() ?? '');
  const sections = sectionsOf(rest, said, wrong);
  if (sections.length === 0) wrong(first?.line ?? 1, 'has no section: ## Heading');
  if (title.length > lengths.title) wrong(first?.line ?? 1, `the title has more than ${lengths.title} characters`);
  return { document: problems.length > 0 ? undefined : { title, updatedAt, sections }, problems };
}

function blocksOf(source: string, firstLine: number): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; text: string } | undefined;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.trim();
    const alone = /^#|^<!--/.test(line);
    if (line === '' || alone) open = undefined;
    if (line === '') continue;
    if (open) open.text += ` ${line}`;
    else blocks.push((open = { line: firstLine + index, text: line }));
    if (alone) open = undefined;
  }
  return blocks;
}

function sectionsOf(
  blocks: readonly Block[],
  said: (text: string) => string,
  wrong: (line: number, message: string) => void,
): Draft[] {
  const sections: Draft[] = [];
  let methods: string[] | undefined;
  const short = ({ line, text: words }: Block, what: keyof typeof lengths) => {
    if (!v.is(text(lengths[what]), words)) wrong(line, `the ${what} has more than ${lengths[what]} characters`);
    return said(words);
  };
  for (const block of blocks) {
    const only = forMethods.exec(block.text)?.[1];
    const section = sections.at(-1);
    if (only !== undefined) {
      methods = only.split(',').map((code) => code.trim());
      continue;
    }
    if (block.text.startsWith('## ')) {
      const heading = short({ ...block, text: block.text.slice(3).trim() }, 'heading');
      sections.push({ heading, paragraphs: [], ...(methods && { methods }) });
    } else if (!section) wrong(block.line, 'stands before the first section: ## Heading');
    else addTo(section, block, { methods, short, wrong });
    methods = undefined;
  }
  return sections;
}

interface Adding {
  readonly methods: string[] | undefined;
  readonly short: (block: Block, what: keyof typeof lengths) => string;
  readonly wrong: (line: number, message: string) => void;
}

function addTo(section: Draft, block: Block, { methods, short, wrong }: Adding): void {
  const [, words = '', to = ''] = linkAlone.exec(block.text) ?? [];
  if (to !== '') {
    const isOwn: boolean = v.is(ownPathSchema, to);
    if (!isOwn) wrong(block.line, `${to} is not a page of the shop such as /pricing-table`);
    section.link = { to, text: short({ ...block, text: words }, 'link') };
    return;
  }
  if (/^<!--|^#/.test(block.text))
    wrong(block.line, `${block.text} is not understood: only #, ## and <!-- for: methods -->`);
  const paragraph = short(block, 'paragraph');
  section.paragraphs.push(methods ? { methods, text: paragraph } : paragraph);
}

const onlyFor = (methods: readonly string[] | undefined) => (methods ? [`<!-- for: ${methods.join(', ')} -->`] : []);

/** The inverse of `readMarkdown`. */
export function writeMarkdown({ title, updatedAt, sections }: StoredDocument): string {
  const day = new Date(updatedAt).toISOString();
  const updated = day.endsWith('T00:00:00.000Z') ? day.slice(0, 10) : day;
  const parts = sections.map(({ heading, paragraphs, methods, link }) =>
    [
      [...onlyFor(methods), `## ${heading}`].join('\n'),
      ...paragraphs.map((one) => (typeof one === 'string' ? one : [...onlyFor(one.methods), one.text].join('\n'))),
      ...(link ? [`[${link.text}](${link.to})`] : []),
    ].join('\n\n'),
  );
  return `---\nupdated: ${updated}\n---\n\n# ${title}\n\n${parts.join('\n\n')}\n`;
}
