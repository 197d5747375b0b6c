// Which answers are under way: the oldest first, whatever has come and gone before, and a stop waits for all of them.
import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { answersUnderWay } from "../../src/http/under-way.ts";
import { seed } from "../support/records.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const end = (each: ServerResponse | undefined) => each?.emit("close");

test("answers that come and go in any order are told in the order in which they came", () => {
  // A number ends the answer that stands there; nothing begins another.
  const steps = fc.array(fc.option(fc.nat(20)), { maxLength: 100 });
  const property = fc.property(steps, (all) => {
    const underWay = answersUnderWay();
    const expected: ServerResponse[] = [];
    for (const step of all) {
      if (step === null) {
        const begun = response();
        underWay.add(begun);
        // Counted once, though two parts of the server may tell of it.
        underWay.add(begun);
        expected.push(begun);
      } else end(expected.splice(step, 1)[0]);
      const told = underWay.responses;
      assert.equal(told.length, expected.length);
      assert.ok(told.every((each, index) => each === expected[index]));
    }
  });
  fc.assert(property, { seed });
});

test("a stop waits for the last of them, and for none when there is none", async () => {
  const underWay = answersUnderWay();
  await answersUnderWay().drain();
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
