interface UrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: UrlPolicy): UrlPolicy;
}

/** The name that the server's Content-Security-Policy allows: `trusted-types marquee-sw`. */
export const policyName = 'marquee-sw';

let policy: UrlPolicy | undefined;

/** Under `require-trusted-types-for 'script'` a worker's address must come from a named policy; ours allows one. */
export function trustedWorkerUrl(path: string): string {
  // Trusted Types are not in TypeScript's DOM yet; a TrustedScriptURL stands wherever the address is expected
  const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return path;
  policy ??= trustedTypes.createPolicy(policyName, {
    createScriptURL: (url) => {
      if (url !== path) throw new TypeError(`Only ${path} may become a worker`);
      return url;
    },
  });
  return policy.createScriptURL(path);
}
