// Fuzzed requests: randomly mutated URLs and headers, determined by a seed and a number.
import { Draw } from "../../demo/draw.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";

const listings = [...catalog, ...extensions];

/** Meaningful names and values to start from. */
const known = listings.flatMap(({ rules }) =>
  rules.flatMap(({ parameters }) =>
    Object.values(parameters).map(({ names, valid, invalid }) => ({ names, values: [...valid, ...invalid] })),
  ),
);

const paths = [
  ...listings.map(({ path }) => path.replace(/\{\w+\}/g, "1")),
  ...["/", "/docs/problems", "/openapi.json", "/livez", "/readyz", "/changes", "/metrics", "/admin/v1/keys"],
  ...["/admin/v1/records/news", "/admin/v1/usage", "/admin/v1/status", "/api/v1/news", "/api/v2/news/1/2"],
];

const odd = [
  ...["%00", "%", "%zz", "%ff", "%c3%28", "%e2%82", "+", "..", "/", "\\", "'", '"', "`", ";", "--", "/*", "*/", "||"],
  ...["[", "]", "[]", "[[", "{", "}", "(", ")", "<", ">", "&", "=", "==", "&&", "#", "@", ":", "*", "?", "!", "$", "^"],
  ...["NaN", "Infinity", "-1", "1e999", "0x10", "9223372036854775808", "18446744073709551616", "null", "undefined"],
  ...["true", "__proto__", "constructor", "toString", "AND", "OR", "NOT", "NEAR(", "select", "union", "\u{ff}", "~"],
  ...["1970-01-01", "9999-12-31", "0000-00-00", "2024-02-30", "2024-13-01", "%F0%9F%92%A9", "%EF%BB%BF", "%0d%0a"],
];

const headerNames = [
  ...["Accept", "Accept-Encoding", "If-None-Match", "Origin", "X-Request-Id", "Range", "Cookie", "Content-Type"],
  ...["X-Forwarded-For", "Access-Control-Request-Method", "Expect", "Upgrade", "Via", "Forwarded", "Cache-Control"],
  ...["Accept-Charset", "X-Bellwire-Fault", "Referer", "User-Agent", "TE", "Authorization", "X-Http-Method-Override"],
];

const headerValues = [
  ...["*", "*/*", "application/json", "application/xml", "application/json;q=0", "text/html,*/*;q=0.1", "gzip, br"],
  ...["identity;q=0", 'W/"x"', '"', "bytes=0-1", "https://a.example", "null", "100-continue", "h2c", "trailers"],
  ...["Bearer", "Bearer x", "token ", "Basic eDp5", ",,,,", ";;;;q=", "q=1e9", "127.0.0.1, ::1", "GET", "\t", ""],
];

const methods = ["HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"];

/** Characters allowed in a URL; others result in a 400 before parsing. */
const plain = (text: string): string => text.replace(/[^!-~]/g, (each) => encodeURIComponent(each.toWellFormed()));

/** Visible characters of a header, and those above ASCII. */
const noise = (draw: Draw, most: number): string =>
  Array.from({ length: draw.int(0, most) }, () =>
    String.fromCharCode(draw.pick([draw.int(32, 126), draw.int(160, 255)])),
  ).join("");

function changed(draw: Draw, text: string): string {
  const at = draw.int(0, text.length);
  switch (draw.int(0, 5)) {
    case 0:
      return text.slice(0, at) + draw.pick(odd) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + draw.int(1, 3));
    case 2:
      return text.repeat(draw.int(2, 20)).slice(0, 2000);
    case 3:
      return draw.pick(odd);
    case 4:
      return `${text},${draw.pick(odd)},${text}`;
    default:
      return text.slice(0, at) + noise(draw, 8) + text.slice(at);
  }
}

function query(draw: Draw): string {
  const pairs = Array.from({ length: draw.int(0, draw.chance(0.02) ? 300 : 6) }, () => {
    const { names, values } = draw.pick(known);
    const name = draw.chance(0.1) ? changed(draw, draw.pick(names)) : draw.pick(names);
    const value = draw.pick(values.length > 0 ? values : odd);
    const encoded = draw.chance(0.5) ? encodeURIComponent(value.toWellFormed()) : value;
    return `${name}${draw.chance(0.03) ? "" : "="}${draw.chance(0.4) ? changed(draw, encoded) : encoded}`;
  });
  return pairs.join(draw.chance(0.03) ? draw.pick(odd) : "&");
}

function header(draw: Draw): string {
  const value = draw.chance(0.4) ? changed(draw, draw.pick(headerValues)) : draw.pick(headerValues);
  const long = draw.chance(0.01) ? "a".repeat(draw.int(1000, 40_000)) : "";
  return `${draw.pick(headerNames)}: ${value.replace(/[^\t\x20-\x7e\xa0-\xff]/g, "")}${long}\r\n`;
}

export type Fuzzed = {
  readonly bytes: Buffer;
  readonly isHead: boolean;
  /** Valid HTTP, which must get a response. For anything else, the connection may also be closed. */
  readonly isSound: boolean;
};

export function fuzzedRequest(seed: number, number: number, token: string): Fuzzed {
  const draw = Draw.seeded(seed).at("fuzz", number);
  const method = draw.chance(0.06) ? draw.pick(methods) : "GET";
  const path = draw.chance(0.05) ? `/${plain(changed(draw, draw.pick(paths).slice(1)))}` : draw.pick(paths);
  const search = plain(query(draw)).replaceAll("#", "%23");
  const key = draw.chance(0.85) ? `Authorization: Bearer ${token}\r\n` : draw.chance(0.5) ? "Authorization: x\r\n" : "";
  const more = Array.from({ length: draw.int(0, 4) }, () => header(draw)).join("");
  const line = `${method} ${path.replaceAll("#", "%23")}?${search} HTTP/1.1\r\nHost: fuzz\r\n`;
  const isSound = !draw.chance(0.02);
  const text = `${line}${key}${more}\r\n`;
  const broken = `${text.slice(0, draw.int(0, text.length))}${draw.pick(odd)}\0\r\n\r\n`;
  return { bytes: Buffer.from(isSound ? text : broken, "latin1"), isHead: method === "HEAD", isSound };
}
