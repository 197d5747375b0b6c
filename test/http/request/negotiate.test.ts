// Content negotiation at the edges of what clients send: formats, encodings, and ETags.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { matchesTag, negotiateEncoding, negotiateFormat } from "../../../src/http/request/negotiate.ts";

const both = ["json", "xml"] as const;

describe("formats", () => {
  test("headers full of blanks and empty items are parsed", () => {
    assert.equal(negotiateFormat(" , ,application/xml , ", both), "xml");
    assert.equal(negotiateFormat("application/xml;;q=0.5;", both), "xml");
    assert.equal(negotiateFormat("\tapplication/json\t;\tq=0.5", both), "json");
  });

  test("a q with up to three decimals counts, in either case", () => {
    assert.equal(negotiateFormat("application/json;q=0.123, application/xml;Q=0.124", both), "xml");
    assert.equal(negotiateFormat("application/json;q=1.000, application/xml;q=1", both), "json");
    assert.equal(negotiateFormat("application/json;q=0.000, application/xml;q=0.001", both), "xml");
  });

  test("the best of several items for one format counts", () => {
    assert.equal(negotiateFormat("application/xml;q=0.1, text/xml;q=0.9, application/json;q=0.5", both), "xml");
    assert.equal(negotiateFormat("text/xml;q=0, application/xml", both), "xml");
  });

  test("a name that starts like a known one is a different one", () => {
    for (const accept of ["application/json+x", "xapplication/json", "application/", "json", "/", "*/json"]) {
      assert.equal(negotiateFormat(accept, both), undefined, accept);
    }
  });

  test("a single available format is chosen or not, whatever else is preferred", () => {
    assert.equal(negotiateFormat("application/xml, application/json;q=0.01", ["json"]), "json");
    assert.equal(negotiateFormat("application/xml", ["json"]), undefined);
    assert.equal(negotiateFormat(undefined, ["json"]), "json");
  });
});

describe("encodings", () => {
  test("no encoding is used if none is listed", () => {
    for (const header of [undefined, "", " ", "identity", "deflate", "zstd, compress", "gzip;q=0, br;q=0", "*;q=0"]) {
      assert.equal(negotiateEncoding(header), undefined, String(header));
    }
  });

  test("br is preferred at equal q, otherwise the larger q", () => {
    assert.equal(negotiateEncoding("gzip, br"), "br");
    assert.equal(negotiateEncoding("GZIP, BR"), "br");
    assert.equal(negotiateEncoding("gzip;q=0.9, br;q=0.8"), "gzip");
    assert.equal(negotiateEncoding("gzip;q=0.001"), "gzip");
  });

  test("x-gzip is gzip, and * stands for encodings that aren't listed", () => {
    assert.equal(negotiateEncoding("x-gzip"), "gzip");
    assert.equal(negotiateEncoding("*"), "br");
    assert.equal(negotiateEncoding("br;q=0, *"), "gzip");
    assert.equal(negotiateEncoding("gzip;q=0, br;q=0, *;q=1"), undefined);
  });

  test("identity is used if the client prefers it", () => {
    assert.equal(negotiateEncoding("identity, gzip;q=0.5"), undefined);
    assert.equal(negotiateEncoding("identity;q=0.5, gzip"), "gzip");
    assert.equal(negotiateEncoding("identity;q=0, gzip;q=0.1"), "gzip");
  });
});

describe("ETags", () => {
  test("are compared weakly", () => {
    assert.equal(matchesTag('W/"a"', 'W/"a"'), true);
    assert.equal(matchesTag('"a"', 'W/"a"'), true);
    assert.equal(matchesTag('"b", W/"a"', 'W/"a"'), true);
    assert.equal(matchesTag("*", 'W/"a"'), true);
  });

  test("are compared whole: containing the ETag is not a match", () => {
    for (const header of [undefined, "", "a", '"ab"', 'W/"', 'w/"a"', '"a', "**"]) {
      assert.equal(matchesTag(header, 'W/"a"'), false, String(header));
    }
  });
});
