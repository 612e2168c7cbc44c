import { describe, expect, it } from 'vitest';
import { withoutValues } from './log.ts';

describe('an error in the log', () => {
  it('tells what failed and where, but never the values of a statement', () => {
    const driver = Object.assign(new Error('duplicate key value violates unique constraint'), {
      code: '23505',
      detail: 'Key (code)=(4711) already exists.',
    });
    const failed = Object.assign(
      new Error('Failed query: insert into message_requests\nparams: ana@example.com,4711'),
      {
        cause: driver,
        params: ['ana@example.com', '4711'],
      },
    );
    const shown = JSON.stringify(withoutValues(failed));
    expect(shown).not.toContain('4711');
    expect(shown).not.toContain('ana@example.com');
    expect(shown).toContain('23505');
    expect(shown).toContain('log.test.ts');
  });

  it('logs the message of any other error', () => {
    expect(withoutValues(new TypeError('x is not a function'))).toMatchObject({ message: 'x is not a function' });
  });

  it('logs only the type of a thrown value that is not an error', () => {
    expect(withoutValues('token 4711')).toBe('string');
  });
});
