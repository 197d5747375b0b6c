// URLs in a feed are stored as text: importing it sends no request to them.
import assert from "node:assert/strict";
import { onEveryStore } from "../support/stores/every-store.ts";
import { feedServer, inShort, item, rss, visitWith } from "./feed-server.ts";

onEveryStore("a feed", (test) => {
  test("that is full of URLs is read without requesting any of them", (api) =>
    feedServer((inside) =>
      feedServer(async (server) => {
        inside.give("secret");
        const there = `http://127.0.0.1:${inside.port}`;
        const named = `<title>T</title><link>${there}/link</link><comments>${there}/comments</comments>
          <enclosure url="${there}/sound" type="audio/mpeg" length="1"/><media:content url="${there}/image" medium="image"/>
          <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${there}/include" parse="text"/>
          <description>&lt;img src="${there}/picture"&gt;&lt;iframe src="${there}/frame"&gt;&lt;/iframe&gt;</description>`;
        const channel = `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="next" href="${there}/next"/>
          <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="hub" href="${there}/hub"/>
          <cloud domain="127.0.0.1" port="${inside.port}" path="/cloud" registerProcedure="x" protocol="http-post"/>
          <image><url>${there}/logo</url></image><docs>${there}/docs</docs>`;
        const document = rss(item("1", named), channel).replace(
          "<rss",
          `<?xml-stylesheet type="text/xsl" href="${there}/style"?><!DOCTYPE rss SYSTEM "${there}/types"><rss`,
        );
        server.give(document, { link: `<${there}/header>; rel="next"`, refresh: `0; url=${there}/refresh` });
        assert.equal(inShort(await visitWith(api, server.url)), "1 created, 0 updated, 0 unchanged");
        assert.equal(server.requests.length, 1);
        assert.deepEqual(
          inside.requests.map(({ url }) => url),
          [],
        );
      }),
    ));
});
