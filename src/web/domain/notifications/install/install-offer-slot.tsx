import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { isStandalone } from '#web/platform/pwa/standalone.ts';
import { installAnswerKey } from '#web/platform/session/storage/device-keys.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';

const Offer = lazyPart(async () => (await withMessages('private', import('./install-offer.tsx'))).InstallOffer);

/** Not in the installed app, not on a TV, and not after the customer answered. */
const mayAsk = () =>
  !isStandalone() && document.documentElement.dataset.screen !== 'TV' && installAnswerKey.get() === undefined;

/**
 * Where the app is offered. For private pages, which are rendered in the browser only. Loads nothing if no offer is
 * made; `wide` fills its container.
 */
export function InstallOfferSlot({ wide = false }: { wide?: boolean | undefined }) {
  return mayAsk() ? <Offer wide={wide} /> : null;
}
