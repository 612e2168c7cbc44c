import { withWords } from '#web/platform/i18n/catalogs.ts';
import { isStandalone } from '#web/platform/pwa/standalone.ts';
import { installAnswerKey } from '#web/platform/session/storage/device-keys.ts';
import { late } from '#web/ui/late.tsx';

const Offer = late(async () => (await withWords('private', import('./install-offer.tsx'))).InstallOffer);

/** Whether there is anybody to ask ([Note: Install offer]): not in the app itself, not on a TV, and not after an answer. */
const mayAsk = () =>
  !isStandalone() && document.documentElement.dataset.screen !== 'TV' && installAnswerKey.get() === undefined;

/** Where the app is offered. For pages of the customer's own, which only a browser draws. Costs nothing where nobody is asked; `wide` is as wide as its place. */
export function InstallOfferSlot({ wide = false }: { wide?: boolean | undefined }) {
  return mayAsk() ? <Offer wide={wide} /> : null;
}
