import { CreditCard, ReceiptText } from '../../ui/icon.tsx';

/** The mark of a method; those of no family that we know get the plain one. */
export function MethodIcon({ icon }: { icon: string }) {
  if (icon === 'pix') return <PixMark />;
  return icon === 'card' ? <CreditCard aria-hidden /> : <ReceiptText aria-hidden />;
}

/** Pix is known by its rhombus; drawn in the colour of the text, in the size of the other icons. */
function PixMark() {
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
      <path d="M9.9 3.4a3 3 0 0 1 4.2 0l6.5 6.5a3 3 0 0 1 0 4.2l-6.5 6.5a3 3 0 0 1-4.2 0l-6.5-6.5a3 3 0 0 1 0-4.2z" />
      <path d="M6 7.3h1.9c.7 0 1.3.3 1.8.8l1.6 1.6a1 1 0 0 0 1.4 0l1.6-1.6c.5-.5 1.1-.8 1.8-.8H18M6 16.7h1.9c.7 0 1.3-.3 1.8-.8l1.6-1.6a1 1 0 0 1 1.4 0l1.6 1.6c.5.5 1.1.8 1.8.8H18" />
    </svg>
  );
}
