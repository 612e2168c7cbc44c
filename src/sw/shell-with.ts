import type { SavedState } from '#contract/worker-messages.ts';
import { savedStateId } from '#contract/worker.ts';

/** The shell's HTML with the brand data. `<` is escaped, so that the JSON cannot end its element. */
export function shellWith(html: string, brand: SavedState): string {
  const json = JSON.stringify({ ...brand, rendered: false }).replaceAll('<', String.raw`\u003c`);
  const element = `<script type="application/json" id="${savedStateId}">${json}</script>`;
  return html.replace('</body>', () => `${element}</body>`);
}

/** A key of the brand's styles, equal for two states with the same styles. */
export const styleKeyOf = ({ theme, siteConfig, functionConfig }: SavedState): string =>
  JSON.stringify([theme, siteConfig, functionConfig]);
