import * as v from 'valibot';
import { sessionKey } from './keys.ts';
import { stored } from './stored.ts';

/** The customer's choice of light or dark on this device; the system's setting where nothing is stored. */
export const themeKey = stored('theme', v.picklist(['light', 'dark']), 'local', { personal: false });

/**
 * The first script of every page sets the chosen theme as `data-theme` before the first paint, so that no page flashes
 * in the other one. The server does not know the theme, and one cached page serves everyone. The script also sets
 * `data-customer` for a signed-in customer, as far as the store shows, with `leaves` while the account is to be
 * deleted. index.html contains the same text, because the content policy allows both by hash.
 */
export const themeScript = `try{var s=localStorage,d=document.documentElement.dataset,t=s.getItem("${themeKey.key}"),u=s.getItem("${sessionKey.key}");/^"(light|dark)"$/.test(t)&&(d.theme=JSON.parse(t));u&&(u=JSON.parse(u)).expiration>Date.now()&&!u.onlyPlanId&&(d.customer=u.leavesAt?"leaves":"")}catch(e){}`;
