import { refuseOtherConnections } from '../process/outbound-guard.ts';
import { receiptPdf as draw, type ReceiptToDraw } from './receipt-pdf.ts';

let isClosed = false;

/** What the thread of receipts runs. It reads fonts from the disk and needs no network, so it has none. */
export async function receiptPdf(receipt: ReceiptToDraw): Promise<Buffer> {
  if (!isClosed) refuseOtherConnections(() => undefined);
  isClosed = true;
  return draw(receipt);
}
