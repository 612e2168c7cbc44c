import { expect, test } from 'vitest';
import { telephoneLink } from './help-page.tsx';

test.each([
  ['+55 11 4002-8922', 'tel:+551140028922'],
  ['0800 (123) 456', 'tel:0800123456'],
  [' +7 495 000+1', 'tel:+74950001'],
])('%s dials %s', (written, link) => expect(telephoneLink(written)).toBe(link));
