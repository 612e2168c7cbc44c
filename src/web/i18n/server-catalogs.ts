import type { Messages } from '@lingui/core';
import type { Language } from '../../contract/fields.ts';
import { messages as en } from '../../../locales/en.po';
import { messages as es } from '../../../locales/es.po';
import { messages as pt } from '../../../locales/pt.po';
import { messages as ru } from '../../../locales/ru.po';

/** All languages at once, for the server; a browser loads the one it shows. */
export const serverCatalogs: Readonly<Record<Language, Messages>> = { en, es, pt, ru };
