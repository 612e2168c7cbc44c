import { refuseOtherConnections } from '#server/runtime/outbound-guard.ts';
import { receiptPdf as draw, type ReceiptToDraw } from './receipt-pdf.ts';

let isGuarded = false;

/** Runs in the receipt thread, where every network connection is refused: fonts are read from the disk. */
export async function receiptPdf(receipt: ReceiptToDraw): Promise<Buffer> {
  if (!isGuarded) refuseOtherConnections(() => undefined);
  isGuarded = true;
  return draw(receipt);
}
