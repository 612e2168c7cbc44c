/** Daraja refuses callback addresses that contain the name of its own product. The gateway's name is accepted too. */
const neutralNames: Readonly<Record<string, string>> = { mpesa: 'mobile-money' };

/** The path to which a gateway's provider sends its notices, below the origin of a brand. */
export const webhookPath = (gateway: string): string => `/webhooks/${neutralNames[gateway] ?? gateway}`;

/** The gateway that the last segment of such a path names. */
export function gatewayOfPath(name: string): string {
  return Object.keys(neutralNames).find((gateway) => neutralNames[gateway] === name) ?? name;
}
