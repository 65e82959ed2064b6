import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { confirmNumber, wholeNumber } from '../../../src/cli/confirm.ts';

describe('a number that is to be confirmed', () => {
  it('is refused where --yes says another one', async () => {
    await expect(confirmNumber(3, 'objects go', 2)).rejects.toThrow(
      'Nothing was changed: --yes says 2, but 3 objects go',
    );
  });

  it('is refused where nobody sits there, with what to say', async () => {
    const { isTTY } = process.stdin;
    Object.assign(process.stdin, { isTTY: false });
    await expect(confirmNumber(3, 'objects go', undefined)).rejects.toThrow('To go ahead: --yes 3');
    Object.assign(process.stdin, { isTTY });
  });

  it('is taken from --yes', async () => {
    await confirmNumber(3, 'objects go', 3);
  });

  it.each(['', '-1', '1.5', 'all', '1e3'])('is no %j', (text) => {
    expect(() => wholeNumber(text)).toThrow(InvalidArgumentError);
  });
});
