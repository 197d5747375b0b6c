// Byte ranges of a file (RFC 9110): one range per request; several at once get the whole file, as the RFC allows.

type ByteRange = { readonly start: number; readonly end: number };

/** Undefined: the whole file; "none": no byte of the file is in the range. */
export function rangeOf(header: string | undefined, size: number): ByteRange | "none" | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "none" : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(first), last === "" ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "none" : { start, end };
}
