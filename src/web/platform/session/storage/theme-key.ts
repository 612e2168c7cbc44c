import * as v from 'valibot';
import { sessionKey } from './keys.ts';
import { stored } from './stored.ts';

/** Light or dark as the customer wants it on this device; as the system has it where nothing is stored. */
export const themeKey = stored('theme', v.picklist(['light', 'dark']), 'local', { personal: false });

/**
 * [Note: Theme] What is chosen stands as `data-theme` at the root, and the brand's tokens go by it. The first script of
 * every page puts it there before anything is painted, so no page flashes in the other one; the server knows nothing of
 * it, and one page is kept for all. It also marks the page of somebody who is signed in, as far as it can tell
 * ([Note: Two homes]), with `leaves` while their account is to be deleted. The same text stands in index.html, because the content policy knows both by hash.
 */
export const firstScript = `try{var s=localStorage,d=document.documentElement.dataset,t=s.getItem("${themeKey.key}"),u=s.getItem("${sessionKey.key}");/^"(light|dark)"$/.test(t)&&(d.theme=JSON.parse(t));u&&(u=JSON.parse(u)).expiration>Date.now()&&!u.onlyPlanId&&(d.customer=u.leavesAt?"leaves":"")}catch(e){}`;
