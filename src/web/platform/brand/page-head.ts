import type { MessageDescriptor } from '@lingui/core';
import type { RouterContext } from '#web/platform/api/router-context.ts';

interface PageHead {
  title: MessageDescriptor | string;
  description?: MessageDescriptor | string | undefined;
  /** false keeps the page out of search engines */
  index?: boolean | undefined;
}

/**
 * A route's `head`. The server writes it into the page, the browser keeps the tab's title by it. Words are looked up
 * when it runs, so a switch of the language invalidates the routes and the title follows.
 */
export function pageHead({ i18n, brand }: RouterContext, head: PageHead) {
  const words = (text: MessageDescriptor | string) => (typeof text === 'string' ? text : i18n._(text));
  const meta: Record<string, string>[] = [{ title: `${words(head.title)} · ${brand.theme.name}` }];
  if (head.description) meta.push({ name: 'description', content: words(head.description) });
  if (head.index === false) meta.push({ name: 'robots', content: 'noindex' });
  return { meta };
}
