// Reused buffers: no response contains bytes of another, however slowly it is read.
import assert from "node:assert/strict";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { enclose, endWith, lengthOf, RefCountedBuffer } from "../../../src/http/response/buffer-pool.ts";

/** Every response has a different letter, so that a foreign byte is detected; some letters take several bytes. */
const textOf = (number: number): string => {
  const letter = String.fromCharCode(97 + (number % 26));
  const length = [100, 20_000, 70_000, 300_000, 900_000, 1_500_000][number % 6] as number;
  return number % 4 === 3 ? `${letter.repeat(length)}€é${letter}` : letter.repeat(length);
};

describe("response bodies", () => {
  const server = createServer((request, response) => {
    const number = Number(request.url?.slice(1));
    const inner = textOf(number).slice(1, -1);
    const [first, last] = [textOf(number).slice(0, 1), textOf(number).slice(-1)];
    // Databases return a page as text or as bytes.
    const body = enclose(first, number % 5 < 2 ? inner : new TextEncoder().encode(inner), last);
    const length = lengthOf(body);
    response.writeHead(200, { "content-length": length });
    endWith(response, body, length);
  });
  let origin = "";
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const read = (number: number, slowly: boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      get(`${origin}/${number}`, async (response) => {
        const pieces: Buffer[] = [];
        // Nothing is read for a while: the server has to buffer what the system doesn't accept.
        if (slowly) await pause(50 + (number % 7) * 20);
        for await (const piece of response) {
          pieces.push(piece as Buffer);
          if (slowly && pieces.length % 8 === 0) await pause(1);
        }
        resolve(Buffer.concat(pieces).toString("utf8"));
      }).on("error", reject);
    });

  test("arrive intact at fast and slow clients concurrently", async () => {
    const numbers = Array.from({ length: 120 }, (_, number) => number);
    const texts = await Promise.all(numbers.map((number) => read(number, number % 3 !== 0)));
    for (const number of numbers) assert.ok(texts[number] === textOf(number), `response ${number}`);
  });

  test("arrive intact after a client has disconnected in the middle of one", async () => {
    await new Promise<void>((resolve) => {
      const request = get(`${origin}/4`, (response) => {
        response.once("data", () => request.destroy());
        response.once("close", () => resolve());
      });
    });
    for (let number = 0; number < 12; number++) assert.ok((await read(number, false)) === textOf(number));
  });
});

describe("a reference-counted buffer", () => {
  test("is retained until the last reference is released", () => {
    const shared = new RefCountedBuffer("aé€");
    shared.retain();
    shared.release();
    assert.equal(shared.bytes.toString(), "aé€");
    shared.release();
    assert.equal(shared.bytes.length, 0);
  });
});
