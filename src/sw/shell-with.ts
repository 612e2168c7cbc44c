import type { SavedState } from '#contract/worker-messages.ts';
import { savedStateId } from '#contract/worker.ts';

/** The shell's HTML with what is known about the brand; the JSON cannot end the element that it stands in. */
export function shellWith(html: string, brand: SavedState): string {
  const json = JSON.stringify({ ...brand, rendered: false }).replaceAll('<', String.raw`\u003c`);
  const element = `<script type="application/json" id="${savedStateId}">${json}</script>`;
  return html.replace('</body>', () => `${element}</body>`);
}

/** What is worn: two states with the same one look the same. */
export const looksOf = ({ theme, siteConfig, functionConfig }: SavedState): string =>
  JSON.stringify([theme, siteConfig, functionConfig]);
