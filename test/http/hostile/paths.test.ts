// Path tricks: no spelling reaches a file, bypasses authentication, or causes an internal error.
import assert from "node:assert/strict";
import { test } from "node:test";
import { generateKey } from "../../../src/keys/key.ts";
import { listening } from "../../support/clients/listening.ts";

const up = ["..", "%2e%2e", ".%2e", "..;", "%252e%252e", "..%00", "%c0%ae%c0%ae", "..%5c"];
const slash = ["/", "//", "%2f", "%252f", "\\", "%5c", "/./"];
const roots = ["", "/docs", "/docs/problems", "/api/v2/news", "/admin/v1/records/news", "/openapi.json"];
const files = ["package.json", "etc/passwd", "src/main.ts", "test.db"];

const climbing = roots.flatMap((root) =>
  up.flatMap((step) =>
    slash.flatMap((between) => files.map((file) => root + between + (step + between).repeat(6) + file)),
  ),
);

test("no spelling of a path reaches a file of the host", () =>
  listening(async ({ request, key, log }) => {
    const authorization = `Bearer ${await key({ scopes: ["read"] })}`;
    for (const path of [...climbing, "/file:///etc/passwd", "/docs/C:\\windows\\win.ini", "/~root/", "/.git/config"]) {
      const { status, text } = await request(path, { authorization });
      assert.ok(status >= 400 && status < 500, `${path} returned ${status}`);
      assert.doesNotMatch(text, /root:|"dependencies"|SQLite format|import \{/, path);
    }
    assert.ok(!log.some((line) => /"level":"(error|fatal)"/.test(line)), "there was a fault");
  }));

test("no spelling of a path bypasses authentication", () =>
  listening(async ({ request, key }) => {
    const spellings = [
      ...[
        "/admin/v1/keys",
        "//admin//v1//keys",
        "/admin/v1/keys/",
        "/%61dmin/v1/%6beys",
        "/admin/v1/keys?",
        "/metrics/",
      ],
      ...["/livez/../admin/v1/keys", "/docs/%2e%2e/admin/v1/keys", "/api/v2/news;/admin/v1/keys", "/ADMIN/V1/KEYS"],
      ...["/docs/..%2fadmin/v1/keys", "/admin/v1/keys%00", "/admin/v1/keys#x", "http://localhost/admin/v1/keys"],
      ...["/livez\\..\\admin\\v1\\keys", "/admin/v1/./keys", "//localhost/admin/v1/keys", "/changes", "/api/v2/news"],
    ];
    const reader = await key({ scopes: ["read"] });
    for (const path of spellings) {
      for (const authorization of ["", `Bearer ${generateKey()}`, `Bearer ${reader}`]) {
        const { status, text } = await request(path, { authorization });
        if (path === "/api/v2/news" && authorization.includes(reader)) assert.equal(status, 200);
        else assert.ok(status >= 400 && status < 500, `${path} returned ${status}: ${text}`);
        assert.doesNotMatch(text, /"keys":|bellwire_/, path);
      }
    }
  }));
