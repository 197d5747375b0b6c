// Security headers, as alternating names and values.

/** Pages set a policy that allows more. */
const policy = "default-src 'none'; frame-ancestors 'none'";

/** On every response. No referrer: a URL may contain a token. */
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

/** On every response but lists, which browsers don't render as a page. HSTS is left to the proxy that terminates TLS. */
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
