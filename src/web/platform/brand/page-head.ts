import type { MessageDescriptor } from '@lingui/core';
import type { RouterContext } from '#web/platform/api/router-context.ts';

interface PageHead {
  title: MessageDescriptor | string;
  description?: MessageDescriptor | string | undefined;
  /** false excludes the page from search engines */
  index?: boolean | undefined;
}

/**
 * A route's `head`. The server writes it into the page, and the browser updates the tab's title from it. Messages are
 * translated when it runs, so a change of the language invalidates the routes and updates the title.
 */
export function pageHead({ i18n, brand }: RouterContext, head: PageHead) {
  const translate = (text: MessageDescriptor | string) => (typeof text === 'string' ? text : i18n._(text));
  const title = translate(head.title);
  const { name } = brand.theme;
  // where its catalogue could not be loaded, the title has no text
  const isMissing = title === (head.title as MessageDescriptor).id; // as: a string has no `id`
  const meta: Record<string, string>[] = [{ title: isMissing ? name : `${title} · ${name}` }];
  if (head.description) meta.push({ name: 'description', content: translate(head.description) });
  if (head.index === false) meta.push({ name: 'robots', content: 'noindex' });
  return { meta };
}
