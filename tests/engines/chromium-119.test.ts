import { buysIn } from './buys-in.ts';

buysIn(119, { tags: 'slow' });
