/** Schemes of payment requests (EIP-681, BIP-21). Nothing else is opened, whatever an answer says. */
const request = /^(ethereum|bitcoin):[^\s"'<>\\]+$/;

/** The address that opens a wallet, or undefined where `uri` is none: on TRON it is a bare address. */
export function walletLink(uri: string): string | undefined {
  return request.test(uri) ? uri : undefined;
}
