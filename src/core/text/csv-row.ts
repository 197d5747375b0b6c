// Rows of CSV (RFC 4180).

/** Characters for which a cell of a comma-separated file is quoted. */
const special = /[",\r\n]/;

/** Also those that separate cells elsewhere: quoted, a name never looks like names with another separator. */
const specialInHeader = /[",;|\t\r\n]/;

export const csvHeader = (columns: readonly string[]): string => row(columns, specialInHeader);

export const csvRow = (cells: readonly string[]): string => row(cells, special);

function row(cells: readonly string[], quoted: RegExp): string {
  const line = cells.map((cell) => (quoted.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",");
  // A row with one empty cell would be an empty line, which readers skip.
  return `${line === "" ? '""' : line}\r\n`;
}
