import { siteKeyPattern } from '#contract/captcha.ts';
import { languages } from '#contract/fields.ts';

/**
 * The script of the framed document. The site key, the page's origin and its language are in the fragment, which is
 * never sent to a server. It posts messages only to that origin, and only if the document lists it or it is the
 * document's own. The height is measured from the visible elements, because a document is never smaller than its frame.
 */
export const frameScript = `(() => {
  const place = document.getElementById('captcha');
  const { script, parents } = place.dataset;
  const asked = new URLSearchParams(location.hash.slice(1));
  const page = asked.get('parent') ?? '';
  const known = page !== '' && (page === location.origin || parents.split(' ').includes(page));
  if (parent === window || !known) return;

  const tell = (message) => parent.postMessage(message, page);
  const fail = () => tell({ type: 'failed' });
  const key = asked.get('key') ?? '';
  const language = ${JSON.stringify(languages)}.find((one) => one === asked.get('language')) ?? 'en';
  document.documentElement.lang = language;
  if (!/${siteKeyPattern.source}/.test(key)) return fail();

  let height = 0;
  const measure = () => {
    let bottom = 1;
    for (const element of document.body.children) {
      if (element.localName === 'script' || getComputedStyle(element).visibility === 'hidden') continue;
      bottom = Math.max(bottom, Math.ceil(element.getBoundingClientRect().bottom + scrollY));
    }
    const next = Math.min(bottom + 4, 1000);
    if (next !== height) tell({ type: 'size', height: (height = next) });
  };

  window.captchaIsLoaded = () => {
    try {
      window.grecaptcha.render(place, {
        sitekey: key,
        theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
        callback: (token) => tell({ type: 'token', token: String(token) }),
        'error-callback': fail,
      });
    } catch {
      return fail();
    }
    new ResizeObserver(measure).observe(place);
    new MutationObserver(measure).observe(document.body, { attributes: true, childList: true, subtree: true });
    tell({ type: 'ready' });
    measure();
  };

  const provider = document.createElement('script');
  provider.src = script + '?render=explicit&onload=captchaIsLoaded&hl=' + language;
  provider.addEventListener('error', fail);
  document.head.append(provider);
})();
`;
