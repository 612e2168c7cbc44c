import { html, raw } from 'hono/html';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';
import { headersFor, pageStyle } from '../page-html.ts';

/** An account on the provider's page, which is plain HTML in English without a script. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** Accounts for demos and tests. */
export const people: readonly Person[] = [
  { id: 'ana', name: 'Ana Lima', email: 'ana.lima@example.com', emailVerified: true },
  { id: 'ivan', name: 'Ivan Petrov', email: 'ivan.petrov@example.com', emailVerified: true },
  { id: 'unverified', name: 'Nobody Yet', email: 'nobody.yet@example.com', emailVerified: false },
];

const style = `${pageStyle}
label { display: grid; gap: .25rem; }
label.check { grid-auto-flow: column; justify-content: start; align-items: center; min-height: 48px; gap: .75rem; }
input { font: inherit; min-height: 48px; box-sizing: border-box; padding: .5rem .75rem; border: 1px solid GrayText; border-radius: 10px;
  background: Field; color: FieldText; }
input[type=checkbox] { min-height: 0; width: 1.25rem; height: 1.25rem; }`;

export const pageHeaders = headersFor(style);

/** The account chooser and consent page. `shop` is the storefront's host. */
export function authorizePage(shop: string): string {
  const known = people.map(
    ({ id, name, email, emailVerified }) =>
      html`<button name="person" value="${id}" class="primary">${name}<br>${email}${emailVerified ? '' : ' (not verified)'}</button>`,
  );
  return page(
    'Choose an account',
    html`<p>${shop} would like to know your name and e-mail address.</p>
<form method="post">${known}</form>
<h2>Somebody else</h2><form method="post">
<label>E-mail <input name="email" type="email" required maxlength="160" autocomplete="off"></label>
<label>Name <input name="name" maxlength="60" autocomplete="off"></label>
<label class="check"><input name="unverified" type="checkbox" value="yes"> This address is not verified</label>
<button name="action" value="allow">Allow</button></form>
<form method="post"><button name="action" value="cancel">Cancel</button></form>`,
  );
}

/** An error that cannot be sent to the client (RFC 6749, 4.1.2.1). */
export function refusalPage(sentence: string): string {
  return page('This does not work', html`<p>${sentence}</p>`);
}

function page(title: string, content: Markup): string {
  return textOfMarkup(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sandbox accounts</title><meta name="robots" content="noindex"><style>${raw(style)}</style></head>
<body><header>Sandbox accounts · stands in for Google</header><main><h1>${title}</h1>
${content}
</main></body></html>`);
}
