/** Daraja refuses callback addresses that contain the name of its own product; the gateway's name is accepted, too. */
const neutralNames: Readonly<Record<string, string>> = { mpesa: 'mobile-money' };

/** Where a gateway's provider sends its notices, below the origin of a brand. */
export const webhookPath = (gateway: string): string => `/webhooks/${neutralNames[gateway] ?? gateway}`;

/** Which gateway the last part of such a path means. */
export function gatewayOfPath(name: string): string {
  return Object.keys(neutralNames).find((gateway) => neutralNames[gateway] === name) ?? name;
}
