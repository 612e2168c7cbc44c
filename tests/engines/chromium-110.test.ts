import { buysIn } from './buys-in.ts';

buysIn(110, { tags: 'slow' });
