import { buysIn } from './buys-in.ts';

buysIn(103, { tags: 'slow' });
