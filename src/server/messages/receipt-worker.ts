import { refuseOtherConnections } from '#server/runtime/outbound.ts';
import { receiptPdf as draw, type ReceiptToDraw } from './receipt-pdf.ts';

let isGuarded = false;

/** Runs in the receipt thread, which refuses every network connection: fonts are read from disk. */
export async function receiptPdf(receipt: ReceiptToDraw): Promise<Buffer> {
  if (!isGuarded) refuseOtherConnections(() => undefined);
  isGuarded = true;
  return draw(receipt);
}
