import * as v from 'valibot';

/**
 * The fields of Daraja's responses and callbacks that the server reads (developer.safaricom.co.ke: Authorization,
 * M-Pesa Express Simulate, M-Pesa Express Query, Reversals). Codes are numbers in callbacks and text in responses.
 * Phone numbers and names are dropped unread.
 */
const code = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((told) => String(told).trim()),
  v.regex(/^[\w-]{1,20}$/),
);
const id = v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/));
const receipt = v.pipe(v.string(), v.regex(/^[A-Z0-9]{6,20}$/));

export const tokenSchema = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.minValue(1), v.maxValue(86_400)),
});

export const pushSchema = v.object({ CheckoutRequestID: id, ResponseCode: code });
export const querySchema = v.object({ ResponseCode: code, CheckoutRequestID: id, ResultCode: code });
export const acceptedSchema = v.object({ ResponseCode: code });

/** A refusal, whatever its HTTP status. */
export const refusalSchema = v.object({
  errorCode: v.pipe(v.string(), v.regex(/^[\d.]{3,20}$/)),
  errorMessage: v.optional(v.string(), ''),
});

const item = v.object({ Name: v.string(), Value: v.optional(v.unknown()) });

export const callbackSchema = v.object({
  Body: v.object({
    stkCallback: v.object({
      CheckoutRequestID: id,
      ResultCode: code,
      CallbackMetadata: v.optional(v.object({ Item: v.array(item) })),
    }),
  }),
});

export const reversalResultSchema = v.object({
  Result: v.object({ ResultCode: code, ConversationID: id }),
});

/** The items of a paid callback: the amount in shillings, and the receipt. */
export const paidSchema = v.object({
  Amount: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.finite(), v.minValue(0)),
  MpesaReceiptNumber: receipt,
});
