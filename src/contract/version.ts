/**
 * The version of this contract (https://semver.org). Its own, not that of the storefront: a backend that implements
 * 1.2 works with every storefront that needs 1.0 to 1.2.
 */
export const contractVersion = '1.0.0';
