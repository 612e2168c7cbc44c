import { createFileRoute } from '@tanstack/react-router';
import { paymentStepRoute } from '../-order-route.ts';

export const Route = createFileRoute('/_plain/paynowTips')({ ...paymentStepRoute });
