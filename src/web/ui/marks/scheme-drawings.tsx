import type { Elements } from '../elements.ts';

/** A mark on its ground; without one of its own it lies on that of the page. */
export interface Drawing {
  readonly ground?: string;
  readonly mark: Elements;
}

/** Lines without an area, as letters are drawn. */
export function Lines({ d, color = '#fff', width = 1.8 }: { d: string; color?: string; width?: number }) {
  return <path d={d} fill="none" stroke={color} strokeWidth={width} strokeLinecap="round" strokeLinejoin="round" />;
}

/** Card schemes, in a field of 36 by 24. */
const schemes: Readonly<Record<string, Drawing>> = {
  visa: {
    ground: '#1434cb',
    mark: (
      <g transform="translate(2.6) skewX(-12)">
        <Lines
          width={2.1}
          d="m7.6 8 2.4 8 2.9-8M16 8v8M22.3 9c-1-1.3-3.9-1.3-3.9.8 0 2.4 4.2 1.5 4.2 4.2 0 2.3-3.3 2.5-4.5 1M25 16l2.8-8 2.8 8M26 13.4h3.6"
        />
      </g>
    ),
  },
  mastercard: {
    mark: (
      <>
        <circle cx="14.2" cy="12" r="6.8" fill="#eb001b" />
        <circle cx="21.8" cy="12" r="6.8" fill="#f79e1b" />
        <path fill="#ff5f00" d="M18 6.36a6.8 6.8 0 0 1 0 11.28 6.8 6.8 0 0 1 0-11.28z" />
      </>
    ),
  },
  amex: {
    ground: '#006fcf',
    mark: (
      <Lines d="m5 15.2 2.5-6.4 2.5 6.4M5.9 13.2h3.2M12.5 15.2V8.8l2.8 4.2L18 8.8v6.4M24.8 8.8h-3.7v6.4h3.7M21.1 12h3.2M27 8.8l4 6.4M31 8.8l-4 6.4" />
    ),
  },
  elo: {
    ground: '#000',
    mark: (
      <>
        <Lines color="#ffcb05" width={2.2} d="M7.3 8.4a5 5 0 0 1 5.2-.4" />
        <Lines color="#00a4e0" width={2.2} d="M6.2 15.2a5 5 0 0 1-.7-5" />
        <Lines color="#ef4123" width={2.2} d="M14.6 13.6a5 5 0 0 1-5.6 3.2" />
        <Lines width={2} d="M17.5 12.7h5a2.6 2.6 0 1 0-.9 2.1M25.3 7.5v7.8" />
        <circle cx="29.7" cy="12.7" r="2.5" fill="none" stroke="#fff" strokeWidth="2" />
      </>
    ),
  },
  hipercard: {
    ground: '#b3131b',
    mark: (
      <g transform="translate(2.2) skewX(-10)">
        <Lines
          width={1.6}
          d="M6 7.5v8M10.6 7.5v8M6 11.5h4.6M13.5 10.5v5M13.5 7.7v.1M16.5 18.5v-8M16.5 13a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 0 1-4.8 0M23.3 13h4.6a2.3 2.3 0 1 0-.8 1.9M30.5 15.5v-5M30.5 12.6c.2-1.5 1-2.2 2.3-2.1"
        />
      </g>
    ),
  },
  discover: {
    mark: (
      <>
        <path fill="#ff6000" d="M12 23.5c9-1.4 17-4.8 23.5-10v6a4 4 0 0 1-4 4z" />
        <g transform="translate(.8 1.8) scale(.87)">
          <Lines
            color="var(--text)"
            width={1.4}
            d="M4 7v5h1a2.5 2.5 0 0 0 0-5zM9.5 7v5M14.3 7.6c-.6-.8-2.5-.7-2.5.5 0 1.5 2.7.9 2.7 2.5 0 1.5-2.1 1.6-2.9.6M19.6 7.7a2.5 2.5 0 1 0 0 3.6M26.5 7l1.6 5 1.6-5M33.9 7h-2.2v5h2.2M31.7 9.5h2M36 12V7h1.5a1.4 1.4 0 0 1 0 2.8H36M37.5 9.8l1.4 2.2"
          />
          <circle cx="23.2" cy="9.5" r="2.7" fill="#ff6000" />
        </g>
      </>
    ),
  },
  diners: {
    mark: (
      <>
        <circle cx="18" cy="12" r="8" fill="#0079be" />
        <circle cx="18" cy="12" r="6" fill="#fff" />
        <path fill="#0079be" d="M16.3 8v8a4.3 4.3 0 0 1 0-8zM19.7 8v8a4.3 4.3 0 0 0 0-8z" />
      </>
    ),
  },
};

/** Any card. */
export const card: Drawing = {
  mark: (
    <Lines
      color="var(--brand-text)"
      d="M8 8a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2zM8 10h20M11.5 14.5h4"
    />
  ),
};

/** Coins, in a field of 24 by 24. */
const coins: Readonly<Record<string, Drawing>> = {
  BTC: {
    ground: '#f7931a',
    mark: (
      <g transform="rotate(12 12 12)">
        <Lines d="M9.7 7.5v9M9.7 7.5h3a2.1 2.1 0 0 1 0 4.3h-3M9.7 11.8h3.5a2.3 2.3 0 0 1 0 4.7H9.7M11 5.7v1.6M13.2 5.7v1.6M11 16.7v1.6M13.2 16.7v1.6" />
      </g>
    ),
  },
  ETH: {
    ground: '#627eea',
    mark: (
      <>
        <path fill="#fff" fillOpacity=".65" d="m12 4 5 8-5-2.2L7 12z" />
        <path fill="#fff" d="m7 12 5-2.2 5 2.2-5 3z" />
        <path fill="#fff" fillOpacity=".8" d="m7 13.7 5 3 5-3-5 6.5z" />
      </>
    ),
  },
  USDT: {
    ground: '#26a17b',
    mark: (
      <>
        <Lines width={2.2} d="M7 7.5h10M12 7.5v10" />
        <ellipse cx="12" cy="12" rx="6" ry="1.7" fill="none" stroke="#fff" strokeWidth="1.2" />
      </>
    ),
  },
  USDC: {
    ground: '#2775ca',
    mark: (
      <Lines
        width={1.6}
        d="M9.5 5.7a6.8 6.8 0 0 0 0 12.6M14.5 5.7a6.8 6.8 0 0 1 0 12.6M14.3 10c-.5-1.7-4.5-1.6-4.5.4 0 2.3 4.6.9 4.6 3.3 0 2.1-4.3 2.2-4.9.3M12 7.2v1.5M12 15.4v1.4"
      />
    ),
  },
  TRX: {
    ground: '#eb0029',
    mark: (
      <Lines width={1.5} d="m6.5 7 9.3 1.7 2.4 2.4-6.8 7.7zM6.5 7l5.7 5.2 6-1.1M12.2 12.2l-.8 6.6M12.2 12.2l3.6-3.5" />
    ),
  },
  LTC: { ground: '#345d9d', mark: <Lines width={2.2} d="M11.5 6 9 17.5h7M8 13.5l6-2.2" /> },
};

/** The drawing of this name; names come from a brand and from gateways. */
export const named = (table: Readonly<Record<string, Drawing>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** In the frame that `method-mark.tsx` draws; a scheme that has no mark here is a card. */
export function SchemeDrawing({ scheme }: { scheme: string }) {
  return <Grounded {...(named(schemes, scheme) ?? card)} />;
}

export function Grounded({ ground, mark }: Drawing) {
  return (
    <>
      {ground === undefined ? null : (
        <rect x=".5" y=".5" width="35" height="23" rx="4" fill={ground} stroke="var(--line)" />
      )}
      {mark}
    </>
  );
}

/** A coin that has no mark here is one without a sign. */
export function CoinDrawing({ coin }: { coin: string }) {
  const { ground = 'var(--text-soft)', mark = null } = named(coins, coin) ?? {};
  return (
    <>
      <circle cx="12" cy="12" r="11.5" fill={ground} />
      {mark}
    </>
  );
}
