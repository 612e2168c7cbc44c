import type { AppRouter } from '../router.tsx';
import type { RouterContext } from './router-context.ts';

/**
 * When the language changes, loaders fetch their texts again and heads are written anew; components stay as they are.
 * An address that names a language would bring the old one back on reload, so it loses that name.
 */
export function followLanguage(router: AppRouter, { i18n, queryClient }: RouterContext): void {
  let language = i18n.locale;
  i18n.on('change', () => {
    // Further words of the same language are no change of it.
    if (i18n.locale === language) return;
    language = i18n.locale;
    // The customer's own answers carry names in the language they were asked in, and their keys do not say so.
    void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['personal'] === true });
    const { href, searchStr } = router.state.location;
    const search = new URLSearchParams(searchStr);
    if (!search.has('language') && !search.has('la')) return void router.invalidate();
    search.delete('language');
    search.delete('la');
    const rest = search.toString();
    router.history.replace(href.split('?')[0] + (rest ? `?${rest}` : ''));
    return void router.invalidate();
  });
}
