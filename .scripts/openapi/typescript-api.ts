import { ts } from '@ts-morph/common';

/** The compiler API in JavaScript, which TypeScript 7 no longer has, for `write-client.ts`. */
// oxlint-disable-next-line import/no-default-export -- it takes the place of the package, which has one
export default ts;
