/**
 * @module Bodies → columns and their values.
 */
export type Value = string | number | null;
export type Input = Readonly<Record<string, unknown>>;

/** Attribute → its column, and what the column holds. */
export type Stored = Readonly<Record<string, readonly [column: string, store: (value: unknown) => Value]>>;

export const plain = (value: unknown): Value => (value ?? null) as Value;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

export const newDocumentId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => ALPHABET[byte % 26]).join('');

/** `data` of the body, unless it has a key that is no attribute. */
export async function dataOf(request: Request, attributes: readonly string[]): Promise<Input | undefined> {
  const { data } = (await request.json()) as { data?: Input };
  return data && Object.keys(data).every((name) => attributes.includes(name)) ? data : undefined;
}

/** Columns and values of what is given. */
export function columnsOf(data: Input, stored: Stored) {
  const entries = Object.entries(data).flatMap(([name, value]) => {
    const [column, store] = stored[name] ?? [];
    return column && store ? [{ column: `"${column}"`, value: store(value) }] : [];
  });
  return { columns: entries.map(({ column }) => column), values: entries.map(({ value }) => value) };
}
