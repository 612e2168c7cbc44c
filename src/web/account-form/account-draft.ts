import * as v from 'valibot';
import { draft } from '../storage/draft.ts';

const keptText = v.optional(v.pipe(v.string(), v.maxLength(160)), '');

/**
 * The account as typed so far. The forms of login and recovery share it, so that nobody types it again on the way from
 * one to the other. It goes into `draft` of `useForm`, with `accountNames`.
 */
export const accountDraft = draft('login', v.object({ account: keptText, phone: keptText, areaCode: keptText }));
export const accountNames = ['account', 'phone', 'areaCode'] as const;
