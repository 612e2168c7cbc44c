import { siteKeyPattern } from '#contract/captcha.ts';
import { languages } from '#contract/fields.ts';

/**
 * What the framed document does, and all it does. The site key, the page's origin and its language come after the `#`,
 * which no server sees. It speaks to that origin only, and only when the document's own list has it or it is our own.
 * The size is measured by what is visible, because the document is never smaller than its frame.
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
