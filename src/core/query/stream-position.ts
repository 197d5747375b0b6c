// Positions of streams: opaque text that names the database and a place in its change log.

/** After the entry at `seq`; or after all entries up to a time (Unix seconds), for keys with a delay. */
export type StreamPosition = { readonly database: string } & ({ readonly seq: number } | { readonly time: number });

export const streamPosition = (database: string, seq: number): string => `${database}.${seq}`;

export const timePosition = (database: string, time: number): string => `${database}.t${time}`;

export function parseStreamPosition(text: string): StreamPosition | undefined {
  const [, database = "", kind, digits] = /^([\w-]+)\.(t?)(\d{1,15})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return kind === "t" ? { database, time: Number(digits) } : { database, seq: Number(digits) };
}
