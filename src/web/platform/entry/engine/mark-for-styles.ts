/**
 * Stylesheets select by `:has()` what the page contains. For engines without it, `data-has` lists it on the same
 * element, and a second rule in `@supports not selector(:has(a))` selects by that. An element `what` within `whose`
 * adds the `name` to the attribute of `whose`.
 */
const rules = [
  { whose: 'html', what: '[data-sticky-bar]', name: 'bar' },
  { whose: 'html', what: '[data-facts]', name: 'facts' },
  ...['month', 'halfYear', 'year'].map((period) => ({
    whose: 'html',
    what: `[name="period"][value="${period}"]:checked`,
    name: period,
  })),
  { whose: 'label', what: ':checked', name: 'checked' },
  { whose: 'label', what: ':disabled', name: 'disabled' },
];

function updateAttributes(): void {
  const found = new Map<Element, string[]>();
  for (const { whose, what, name } of rules) {
    for (const element of document.querySelectorAll(whose)) {
      const names = found.get(element) ?? [];
      if (element.querySelector(what)) names.push(name);
      found.set(element, names);
    }
  }
  for (const [element, names] of found) {
    const joined = names.join(' ');
    if ((element.getAttribute('data-has') ?? '') !== joined) element.setAttribute('data-has', joined);
  }
}

/** Keeps the attributes current, before the next frame after each change. */
export function markForStyles(): void {
  if (CSS.supports('selector(:has(a))')) return;
  let planned = false;
  const plan = () => {
    if (planned) return;
    planned = true;
    requestAnimationFrame(() => {
      planned = false;
      updateAttributes();
    });
  };
  const attributeFilter = ['disabled', 'checked', 'data-sticky-bar'];
  new MutationObserver(plan).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter });
  document.addEventListener('change', plan);
  updateAttributes();
}
