/** A password with a hash that is cheap to verify, for thousands of customers. */
export const cheapPassword = {
  password: 'secret-123',
  hash: '$argon2id$v=19$m=8,t=1,p=1$b2YtdGhlLXByb29mcy0xNg$IxdbRhKWQW7cm2mOIBP/go8id0Hw2GjExZLMsrxLzRc',
} as const;
