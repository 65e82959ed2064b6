import { describe, expect, it } from 'vitest';
import { confirmNumber, confirmYes } from '../../../cli/core/terminal.ts';

describe('a number that is to be confirmed', () => {
  it('is refused where --yes says another one', async () => {
    await expect(confirmYes(3, 'objects go', 2)).rejects.toThrow('Nothing was changed: --yes says 2, but 3 objects go');
  });

  it('is refused where nobody sits there, with what to say', async () => {
    const { isTTY } = process.stdin;
    Object.assign(process.stdin, { isTTY: false });
    await expect(confirmYes(3, 'objects go', undefined)).rejects.toThrow('To go ahead: --yes 3');
    Object.assign(process.stdin, { isTTY });
  });

  it('is taken from --yes', async () => {
    await confirmYes(3, 'objects go', 3);
  });

  it.each(['', 'y', 'yes', '30'])('is refused for the answer %j', async (answer) => {
    await expect(confirmNumber(3, 'objects go', '--yes 3', async () => answer)).rejects.toThrow('Nothing was changed');
  });

  it('is asked for with what goes, and may have spaces around it', async () => {
    const asked: string[] = [];
    await confirmNumber(3, 'objects go', '--yes 3', async (question) => {
      asked.push(question);
      return ' 3 ';
    });
    expect(asked).toEqual(['3 objects go. Type 3 to go ahead: ']);
  });
});
