import { card, Grounded, Lines, named, type Drawing } from './scheme-drawings.tsx';

const own = 'var(--brand-text)';

/** By the code of the method. */
const methods: Readonly<Record<string, Drawing>> = {
  pix: {
    mark: (
      <g transform="translate(8.2 2.2) scale(.82)">
        <path
          fill="#32bcad"
          d="M9.4 3a3.7 3.7 0 0 1 5.2 0l6.4 6.4a3.7 3.7 0 0 1 0 5.2l-6.4 6.4a3.7 3.7 0 0 1-5.2 0L3 14.6a3.7 3.7 0 0 1 0-5.2z"
        />
        <Lines
          color="var(--surface)"
          width={1.6}
          d="M5 7.2h2.7c.7 0 1.3.3 1.8.8l1.8 1.8a1 1 0 0 0 1.4 0L14.5 8c.5-.5 1.1-.8 1.8-.8H19M5 16.8h2.7c.7 0 1.3-.3 1.8-.8l1.8-1.8a1 1 0 0 1 1.4 0l1.8 1.8c.5.5 1.1.8 1.8.8H19"
        />
      </g>
    ),
  },
  boleto: {
    mark: (
      <path
        fill="var(--text)"
        d="M8 6h2v12H8zM11.5 6h1v12h-1zM14 6h3v12h-3zM18.5 6h1v12h-1zM21 6h1v12h-1zM23.5 6h3v12h-3zM27.5 6h1v12h-1z"
      />
    ),
  },
  paypal: {
    ground: '#003087',
    mark: (
      <g transform="translate(8.6 2.6) scale(.86)">
        <path fill="#60a5ff" d="M9.7 6.6h5.2c3.2 0 4.9 1.6 4.4 4.5-.5 3-2.7 4.5-5.7 4.5h-2.2l-.9 5.4H6.9z" />
        <path fill="#fff" d="M6.2 1.4h5.7c3.2 0 4.9 1.6 4.4 4.5-.5 3-2.7 4.5-5.7 4.5H8.2l-1 6H3.6z" />
      </g>
    ),
  },
  mpesa: {
    ground: '#43a83a',
    mark: (
      <>
        <rect x="6.5" y="4.5" width="8" height="15" rx="1.6" fill="#fff" />
        <path fill="#43a83a" d="M8 6.5h5v9H8z" />
        <Lines color="#e2231a" width={2} d="M9.5 13.5c3.2.4 5.2-1 6.2-3.5" />
        <Lines width={2.2} d="M19 16V8.5l4.5 5 4.5-5V16" />
      </>
    ),
  },
  orange: {
    ground: '#000',
    mark: (
      <>
        <path fill="#ff7900" d="M7 5.5h13v13H7z" />
        <path fill="#fff" d="M9 14.5h9v2H9z" />
        <Lines color="#ff7900" width={1.9} d="M23.5 14v-6m-2.2 2.2 2.2-2.2 2.2 2.2" />
        <Lines width={1.9} d="M28.5 10v6m-2.2-2.2 2.2 2.2 2.2-2.2" />
      </>
    ),
  },
  free: {
    ground: '#cd1719',
    mark: (
      <Lines d="M11.7 7.2c-2-.6-3 .2-3 2V17M6.8 11h4.3M14 17v-6M14 13.2c.3-1.6 1.4-2.3 2.8-2.1M18.5 13.9h4.8a2.4 2.4 0 1 0-.8 2M25.2 13.9H30a2.4 2.4 0 1 0-.8 2" />
    ),
  },
  mtn: {
    ground: '#ffcb05',
    mark: (
      <>
        <ellipse cx="18" cy="12" rx="12.5" ry="7" fill="none" stroke="#004f71" strokeWidth="1.5" />
        <Lines
          color="#004f71"
          width={1.7}
          d="M9.9 14.5v-5l2.4 3.2 2.4-3.2v5M16.6 9.5H21M18.8 9.5v5M22.9 14.5v-5l3.5 5v-5"
        />
      </>
    ),
  },
  airtel: {
    ground: '#e40000',
    mark: <Lines width={2.8} d="M13.2 17.5c-2-4.5 1-10.8 5.8-11.3 4-.4 5.4 2.7 3.4 5.6-1.8 2.5-5 3.3-5 3.3" />,
  },
  zamtel: { ground: '#00954c', mark: <Lines width={2.6} d="M13 7.5h10l-10 9h10" /> },
  tnm: {
    ground: '#00843d',
    mark: (
      <Lines d="M9.3 7.5v6.3c0 1.5.8 2.2 2.3 2M7.5 10.3h4M14.3 16v-5.7M14.3 12.7c.5-3 4.3-3 4.3.2V16M21.5 16v-5.7M21.5 12.6c.5-2.9 3.8-2.9 3.8.2V16M25.3 12.6c.5-2.9 3.8-2.9 3.8.2V16" />
    ),
  },
  yoomoney: {
    ground: '#8b3ffd',
    mark: (
      <>
        <circle cx="21.5" cy="12" r="4.8" fill="none" stroke="#fff" strokeWidth="3.4" />
        <path fill="#fff" d="M7.5 6.5h6.2v11z" />
      </>
    ),
  },
  alipay: {
    ground: '#1677ff',
    mark: (
      <Lines
        width={1.7}
        d="M11.5 7.5h13M18 5v5.5M13 10.5h9.5c-.8 3.5-4 7-9.3 7-4 0-3.9-3.9-.2-3.9 4.5 0 8.5 2.2 13 4"
      />
    ),
  },
  paynow: {
    ground: '#78166f',
    mark: <Lines width={2.2} d="M10 17.2V7h3.6a3.1 3.1 0 0 1 0 6.2H10M20 12h8m-3.2-3.2L28 12l-3.2 3.2" />,
  },
  caishen: {
    ground: '#c8102e',
    mark: (
      <>
        <circle cx="18" cy="12" r="7.5" fill="#f6c343" />
        <path fill="none" stroke="#c8102e" strokeWidth="1.6" d="M15.7 9.7h4.6v4.6h-4.6z" />
      </>
    ),
  },
};

/** By what the method is like, for those without a mark of their own. */
const families: Readonly<Record<string, Drawing>> = {
  card,
  pix: methods['pix'] ?? { mark: null },
  paypal: methods['paypal'] ?? { mark: null },
  ticket: methods['boleto'] ?? { mark: null },
  crypto: {
    mark: (
      <>
        <circle cx="23.5" cy="12" r="7" fill="#627eea" />
        <path fill="#fff" d="m24.5 6.6 3.4 5.5-3.4 2zM24.5 15.3l3.4-2-3.4 4.7z" />
        <circle cx="13.5" cy="12" r="7.5" fill="#f7931a" stroke="var(--surface)" strokeWidth="1.2" />
        <Lines
          width={1.5}
          d="M12 8.6v6.8M12 8.6h2a1.6 1.6 0 0 1 0 3.3h-2M12 11.9h2.4a1.7 1.7 0 0 1 0 3.5H12M13.2 7.4v1M13.2 15.6v1"
        />
      </>
    ),
  },
  mobile: {
    mark: (
      <Lines
        color={own}
        d="M14.5 5h7a1.5 1.5 0 0 1 1.5 1.5v11a1.5 1.5 0 0 1-1.5 1.5h-7a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 14.5 5zM17 16.3h2"
      />
    ),
  },
  wallet: {
    mark: (
      <Lines
        color={own}
        d="M25 8.5V7a1.5 1.5 0 0 0-1.5-1.5h-12a1.7 1.7 0 0 0 0 3.4H25a1.5 1.5 0 0 1 1.5 1.5v6.6a1.5 1.5 0 0 1-1.5 1.5H11.5a1.7 1.7 0 0 1-1.7-1.7V7.2M22.5 13.7h.1"
      />
    ),
  },
  bank: { mark: <Lines color={own} d="M9.5 10 18 5l8.5 5zM12 10.5V16M16 10.5V16M20 10.5V16M24 10.5V16M9.5 18.5h17" /> },
  qr: {
    mark: <Lines color={own} d="M12 6h4v4h-4zM20 6h4v4h-4zM12 14h4v4h-4zM20 14h1.5M24 14v1.5M20 18h1.5M24 18v.1" />,
  },
};

const plain: Drawing = {
  mark: <Lines color={own} d="M12 5h12v14l-2-1.3-2 1.3-2-1.3-2 1.3-2-1.3-2 1.3zM15 9.5h6M15 13h6" />,
};

/** In the frame that `method-mark.tsx` draws. */
export function MethodDrawing({ code, icon }: { code: string; icon: string }) {
  return <Grounded {...(named(methods, code) ?? named(families, icon) ?? plain)} />;
}
