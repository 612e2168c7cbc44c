import type { ReactNode } from 'react';
import {
  Barcode,
  Bitcoin,
  CreditCard,
  Landmark,
  QrCodeIcon,
  ReceiptText,
  Smartphone,
  Wallet,
} from '../../../ui/icon.tsx';

const marks: Readonly<Record<string, ReactNode>> = {
  pix: <PixMark />,
  card: <CreditCard aria-hidden />,
  ticket: <Barcode aria-hidden />,
  paypal: <PayPalMark />,
  crypto: <Bitcoin aria-hidden />,
  mobile: <Smartphone aria-hidden />,
  wallet: <Wallet aria-hidden />,
  bank: <Landmark aria-hidden />,
  qr: <QrCodeIcon aria-hidden />,
};

/** The mark of a family of methods; those of no family that we know get the plain one. */
export function MethodIcon({ icon }: { icon: string }) {
  return Object.hasOwn(marks, icon) ? marks[icon] : <ReceiptText aria-hidden />;
}

/** Drawn in the colour of the text, in the size and the stroke of the other icons. */
function Mark({ children }: { children: ReactNode }) {
  return (
    <svg
      className="lucide"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden
    >
      {children}
    </svg>
  );
}

/** Pix is known by its rhombus. */
function PixMark() {
  return (
    <Mark>
      <path d="M9.9 3.4a3 3 0 0 1 4.2 0l6.5 6.5a3 3 0 0 1 0 4.2l-6.5 6.5a3 3 0 0 1-4.2 0l-6.5-6.5a3 3 0 0 1 0-4.2z" />
      <path d="M6 7.3h1.9c.7 0 1.3.3 1.8.8l1.6 1.6a1 1 0 0 0 1.4 0l1.6-1.6c.5-.5 1.1-.8 1.8-.8H18M6 16.7h1.9c.7 0 1.3-.3 1.8-.8l1.6-1.6a1 1 0 0 1 1.4 0l1.6 1.6c.5.5 1.1.8 1.8.8H18" />
    </Mark>
  );
}

/** PayPal is known by its two letters, one before the other. */
function PayPalMark() {
  return (
    <Mark>
      <path d="M6.5 17H4L6.4 3h5.4c3 0 4.7 1.6 4.2 4.4-.5 3-2.6 4.5-5.6 4.5H8.2z" />
      <path d="M8.4 17 7.7 21h3l.7-4.1h2c2.9 0 5-1.5 5.5-4.4.3-1.9-.4-3.3-1.8-4" />
    </Mark>
  );
}
