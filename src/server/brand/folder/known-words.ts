import { readFileSync } from 'node:fs';
import { parsePo, stringifyPo } from 'pofile-ts';
import { messageIdOf } from './read-words.ts';

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
export function knownWords(): ReadonlyMap<string, KnownText> {
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
export function writeWords(
  messages: Readonly<Record<string, string>>,
  language: string,
  known: ReturnType<typeof knownWords>,
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
