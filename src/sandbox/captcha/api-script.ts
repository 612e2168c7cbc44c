/**
 * The provider's script: `grecaptcha.render(element, { sitekey, callback, 'expired-callback', 'error-callback' })`, the
 * part of reCAPTCHA v2 that is used (developers.google.com/recaptcha/docs/display). One checkbox, labelled by the
 * provider.
 */
export const apiScript = `(() => {
  const own = new URL(document.currentScript.src);
  const words = { en: 'I am a person', pt: 'Sou uma pessoa', es: 'Soy una persona', ru: 'Я человек' };
  const label = words[own.searchParams.get('hl')] ?? words.en;
  const goodForMs = 120000;

  const render = (element, options) => {
    const row = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    row.style.cssText = 'display:flex;align-items:center;gap:12px;min-height:56px;padding:8px 14px;box-sizing:border-box;'
      + 'max-width:304px;border:1px solid GrayText;border-radius:10px;font:1rem/1.4 system-ui,sans-serif;cursor:pointer';
    box.style.cssText = 'width:24px;height:24px;margin:0;flex:none';
    row.append(box, label);
    element.replaceChildren(row);
    const open = () => { box.checked = false; box.disabled = false; };
    box.addEventListener('change', async () => {
      box.disabled = true;
      try {
        const answer = await fetch(new URL('token', own), { method: 'POST', body: new URLSearchParams({ sitekey: options.sitekey }) });
        if (!answer.ok) throw new Error(String(answer.status));
        options.callback((await answer.json()).token);
        setTimeout(() => { open(); options['expired-callback']?.(); }, goodForMs);
      } catch {
        open();
        options['error-callback']?.();
      }
    });
    return 0;
  };

  window.grecaptcha = { render };
  window[own.searchParams.get('onload')]?.();
})();
`;
