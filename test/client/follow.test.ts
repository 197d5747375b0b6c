// `bellwire/client` follows changes: by stream, across interruptions, and by polling where there is no stream.
import assert from "node:assert/strict";
import type { Change, RatingsRecord } from "../../client/index.ts";
import { resourceNamed } from "../support/clients/api.ts";
import { connect, ratings } from "../support/clients/bellwire-client.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";

type Changes = AsyncGenerator<Change<RatingsRecord>, void>;

async function next(changes: Changes): Promise<Change<RatingsRecord>> {
  const { value } = await changes.next();
  return value ?? assert.fail("the stream has ended");
}

const summary = ({ action, id, record }: Change<RatingsRecord>) => `${action} ${Number(id)} ${record?.ticker ?? ""}`;

sharingEveryStore("following a list", (test) => {
  test("yields changes after a page, and every change once though a connection is cut", async (api) => {
    await api.has("ratings", ratings(0, 2));
    let connections = 0;
    let cut = new AbortController();
    const client = await connect(api, {
      fetch: (input, init) => {
        cut = new AbortController();
        connections++;
        return fetch(input, { ...init, signal: AbortSignal.any([cut.signal, init?.signal as AbortSignal]) });
      },
    });
    const { position } = await client.ratings.page({ tickers: "AAPL" });
    const changes = client.ratings.follow({ tickers: "AAPL" }, { since: position });
    const seen: string[] = [];
    for (let id = 10; id < 14; id += 2) {
      await api.has("ratings", ratings(id, 2));
      const change = await next(changes);
      seen.push(summary(change));
      assert.equal(change.resource, "ratings");
      assert.match(change.position ?? "", /^[0-9a-f]+\.\d+$/);
      if (id === 10) cut.abort();
    }
    await api.store.remove(resourceNamed("ratings"), [ratings(10, 1)[0]?.id ?? ""]);
    seen.push(summary(await next(changes)));
    await changes.return();
    assert.deepEqual(seen, ["created 10 AAPL", "created 12 AAPL", "removed 10 "]);
    assert.equal(connections, 3, "a page, a stream, and the stream after the cut");
    const again = client.ratings.follow({ tickers: "AAPL" }, { since: position });
    for (const expected of seen) assert.equal(summary(await next(again)), expected);
    await again.return();
  });

  test("yields the same changes whatever pieces their bytes arrive in", async (api) => {
    await api.has("ratings", ratings(0, 1));
    const whole = await connect(api, {});
    const { position } = await whole.ratings.page({});
    await api.has("ratings", ratings(10, 4));
    const firstOf = async (client: typeof whole): Promise<string[]> => {
      const changes = client.ratings.follow({}, { since: position });
      const seen: string[] = [];
      while (seen.length < 4) seen.push(JSON.stringify(await next(changes)));
      await changes.return();
      return seen;
    };
    const expected = await firstOf(whole);
    for (const size of [1, 2, 7, 1000]) {
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, to) {
          for (let at = 0; at < bytes.length; at += size) to.enqueue(bytes.slice(at, at + size));
        },
      });
      const client = await connect(api, {
        fetch: async (input, init) => {
          const { body, status, headers } = await fetch(input, init);
          return new Response(body?.pipeThrough(cut) ?? null, { status, headers });
        },
      });
      assert.deepEqual(await firstOf(client), expected);
    }
  });

  test("polls a server without streams, for changed and removed records", async (api) => {
    api.clock.now = Math.floor(Date.now() / 1000);
    await api.has("ratings", ratings(0, 2));
    const polls: string[] = [];
    const client = await connect(api, {
      fetch: async (input, init) => {
        polls.push(String(input));
        return String(input).includes("/stream") ? new Response(null, { status: 404 }) : fetch(input, init);
      },
    });
    const changes = client.ratings.follow({ tickers: ["AAPL"], fields: ["ticker"] }, { pollMs: 5 });
    const first = changes.next();
    await waitUntil(() => polls.filter((url) => url.includes("calendar-removed")).length > 1, "the second poll");
    api.clock.now += 1;
    await api.has("ratings", [{ ...ratings(0, 1)[0], pt_current: "120" }, ...ratings(10, 2)]);
    const pair = [(await first).value, await next(changes as Changes)];
    assert.deepEqual(pair.map((change) => summary(change as Change<RatingsRecord>)).sort(), [
      "updated 0 AAPL",
      "updated 10 AAPL",
    ]);
    await api.store.remove(resourceNamed("ratings"), [ratings(0, 1)[0]?.id ?? ""]);
    assert.equal(summary(await next(changes as Changes)), "removed 0 ");
    await changes.return();
  });

  test("ends with the reason of its signal, or with an error that won't pass", async (api) => {
    const client = await connect(api);
    const controller = new AbortController();
    const changes = client.news.follow({}, { signal: controller.signal });
    const pending = changes.next();
    controller.abort(new Error("enough"));
    await assert.rejects(pending, /enough/);
    await assert.rejects(client.news.follow({}, { since: "000000000000.7" }).next(), { code: "stream.gone" });
    await assert.rejects(client.news.follow({ sort: "id:asc" } as never).next(), { code: "request.parameters" });
  });
});
