// Validators of responses: an unchanged response is confirmed, another one never is.
import { shown } from "../compare.ts";
import { queryText, urlOf } from "../target.ts";
import type { Check } from "./check.ts";

export const cachingCheck: Check = {
  name: "caching",
  title: "an ETag confirms the response it came with, and no other",
  run: async (context) => {
    const { target, isStrict } = context;
    const size = target.resource.intake.size.name;
    const [url = "", other = ""] = ["5", "6"].map((value) => urlOf(target.path, queryText([[size, value]])));
    const first = await context.send({ url });
    const etag = first.headers.get("etag");
    if (etag === null) {
      if (isStrict) context.report(first.request, "a list has no ETag");
      return;
    }
    const confirmed = await context.send({ url, headers: { "if-none-match": etag } });
    if (
      context.expectStatus(confirmed, 304, "an unchanged response isn't confirmed by its ETag") &&
      confirmed.text !== ""
    )
      context.report(confirmed.request, "a 304 has a body", { received: shown(confirmed.text) });
    const second = await context.send({ url: other });
    if (second.text !== first.text && second.headers.get("etag") === etag)
      context.report(second.request, "two different responses of a list have the same ETag", { received: etag });
    const stale = await context.send({ url, headers: { "if-none-match": 'W/"no-such-etag"' } });
    context.expectStatus(stale, 200, "an unknown ETag is confirmed");
    const repeated = await context.send({ url });
    if (repeated.headers.get("etag") !== etag && repeated.text === first.text)
      context.report(repeated.request, "the ETag of an unchanged response changes", {
        expected: etag,
        received: repeated.headers.get("etag") ?? "nothing",
      });
  },
};
