import { readFileSync } from 'node:fs';
import { parsePo, stringifyPo, type PoItem } from 'pofile-ts';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import type { Problem } from './read-yaml.ts';

/** A text of the product in its catalogue: its id or its English text. */
interface KnownText {
  readonly msgid: string;
  readonly msgctxt: string | null;
  /** its id is not a sentence */
  readonly named: boolean;
  /** its English text */
  readonly english: string;
}

const parts = ['', 'private/', 'server/'];
const named = 'js-lingui-explicit-id';

/** All customer-facing texts by message id, from the catalogues of this version. */
export function catalogMessages(): ReadonlyMap<string, KnownText> {
  const items = parts.flatMap((part) => {
    const file = new URL(`../../../../locales/${part}en.po`, import.meta.url);
    return parsePo(readFileSync(file, 'utf8')).items;
  });
  return new Map(
    items
      .filter(({ msgid, obsolete }) => msgid !== '' && !obsolete)
      .map((item) => {
        const { msgid, msgctxt, msgstr, extractedComments } = item;
        return [
          messageIdOf(item),
          { msgid, msgctxt, named: extractedComments.includes(named), english: msgstr[0] || msgid },
        ];
      }),
  );
}

/** A brand's own texts in one language as a PO file. Texts that this version does not have keep their id. */
export function writeMessagesFile(
  messages: Readonly<Record<string, string>>,
  language: string,
  known: ReturnType<typeof catalogMessages>,
): string {
  const items = Object.entries(messages).map(([id, text]) => {
    const { msgid, msgctxt, named: hasName } = known.get(id) ?? { msgid: id, msgctxt: null, named: true, english: '' };
    return {
      msgid,
      msgctxt,
      msgstr: [text],
      extractedComments: hasName ? [named] : [],
      references: [],
      msgid_plural: null,
      comments: [],
      flags: {},
      metadata: {},
      obsolete: false,
      nplurals: 1,
    };
  });
  const headers = { Language: language, 'Content-Type': 'text/plain; charset=utf-8' };
  return stringifyPo(
    { headers, headerOrder: Object.keys(headers), items, comments: [], extractedComments: [] },
    { foldLength: 0 },
  );
}

interface BrandMessagesFile {
  /** own text by message id */
  readonly messages: Record<string, string>;
  readonly problems: readonly Problem[];
}

const explicit = 'js-lingui-explicit-id';
/** Message ids of ours have a dot: `errCode.2008`, `mail.closing`. A sentence is its own id. */
const namedOne = /^[a-z][A-Za-z]*(\.[\w-]+)+$/;
const longest = 600;

/** The line of a text in its file. */
export function lineOfMessage(source: string, msgid: string): number {
  const begins = JSON.stringify(msgid.split('\n')[0]).slice(0, 50).replace(/"$/, '');
  return source.split('\n').findIndex((line) => line.startsWith('msgid') && line.includes(begins)) + 1;
}

/** The id by which the storefront finds a text: an explicit id, or the one that lingui derives from the English text. */
export function messageIdOf({
  msgid,
  msgctxt,
  extractedComments,
}: Pick<PoItem, 'msgid' | 'msgctxt' | 'extractedComments'>): string {
  if (extractedComments.includes(explicit) || namedOne.test(msgid)) return msgid;
  const made: unknown = generateMessageId(msgid, msgctxt ?? '');
  return String(made);
}

/**
 * Reads a brand's own texts in one language, in the format of `locales/*.po`: `msgid` is the text's id or its English
 * text, `msgstr` the brand's text. It is plain text, never markup.
 */
export function readBrandMessages(file: string, source: string): BrandMessagesFile {
  const problems: Problem[] = [];
  const said = parsePo(source).items.filter(({ msgid, msgstr, obsolete }) => msgid !== '' && msgstr[0] && !obsolete);
  const messages = said.flatMap((item) => {
    const [text = ''] = item.msgstr;
    const fault = faultOf(text);
    if (fault !== undefined)
      problems.push({ file, line: lineOfMessage(source, item.msgid), message: `"${item.msgid}": ${fault}` });
    return [[messageIdOf(item), text] as const];
  });
  return { messages: Object.fromEntries(messages), problems };
}

function faultOf(text: string): string | undefined {
  if (text.length > longest) return `has more than ${longest} characters`;
  try {
    compileMessageOrThrow(text);
    return undefined;
  } catch {
    return 'is no message: see that { and } stand in pairs, and that a plural has its forms';
  }
}
