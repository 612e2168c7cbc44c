import type { ReactElement } from 'react';

/**
 * Children that may have siblings: elements only, because a translating browser replaces bare text nodes, which React
 * then cannot find (platform/i18n/messages-provider.tsx).
 */
export type Elements = ReactElement | false | null | undefined | readonly Elements[];
