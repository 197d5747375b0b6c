// In-flight responses: oldest first, and a shutdown waits for all of them.
import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { trackInFlight } from "../../../src/http/protection/in-flight.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const end = (each: ServerResponse) => each.emit("close");

test("responses are listed oldest first, each once, until they are sent", () => {
  const underWay = trackInFlight();
  const [first, second, third] = [response(), response(), response()];
  for (const each of [first, second, second]) underWay.add(each);
  end(first);
  underWay.add(third);
  assert.ok(underWay.responses.length === 2 && underWay.responses[0] === second && underWay.responses[1] === third);
});

test("a shutdown waits for the last of them, and not at all if there are none", async () => {
  const underWay = trackInFlight();
  await trackInFlight().drain();
  const [first, second] = [response(), response()];
  for (const each of [first, second]) underWay.add(each);
  let drained = false;
  const draining = underWay.drain().then(() => {
    drained = true;
  });
  end(second);
  await new Promise(setImmediate);
  assert.equal(drained, false);
  end(first);
  await draining;
});
