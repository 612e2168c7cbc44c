import type { Messages } from '@lingui/core';
import type { Language } from '../../contract/fields.ts';
import { messages as en } from '../../../locales/en.po';
import { messages as es } from '../../../locales/es.po';
import { messages as enIdentity } from '../../../locales/identity/en.po';
import { messages as esIdentity } from '../../../locales/identity/es.po';
import { messages as ptIdentity } from '../../../locales/identity/pt.po';
import { messages as ruIdentity } from '../../../locales/identity/ru.po';
import { messages as pt } from '../../../locales/pt.po';
import { messages as ru } from '../../../locales/ru.po';

/** The words of all rendered pages in all languages, for the server; a browser loads what it shows. */
export const serverCatalogs: Readonly<Record<Language, Messages>> = {
  en: { ...en, ...enIdentity },
  es: { ...es, ...esIdentity },
  pt: { ...pt, ...ptIdentity },
  ru: { ...ru, ...ruIdentity },
};
