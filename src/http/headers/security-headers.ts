// What every answer tells a browser, so that it does no more with it than show it: names and values in turn.

/** Pages, which need more, say it themselves. */
const policy = "default-src 'none'; frame-ancestors 'none'";

/** On every answer. An address may hold a token: no other site learns of it. */
export const securityHeaders: readonly string[] = [
  "x-content-type-options",
  "nosniff",
  "content-security-policy",
  policy,
  "referrer-policy",
  "no-referrer",
  "x-frame-options",
  "SAMEORIGIN",
];

/** On every answer but lists, which no browser takes for a page. Over TLS, its proxy adds that there is no other way. */
export const pageHeaders: readonly string[] = [
  "cross-origin-opener-policy",
  "same-origin",
  "cross-origin-resource-policy",
  "cross-origin",
  "origin-agent-cluster",
  "?1",
  "x-dns-prefetch-control",
  "off",
  "x-download-options",
  "noopen",
  "x-permitted-cross-domain-policies",
  "none",
  "x-xss-protection",
  "0",
];
