// A keyed random number generator: a record's values depend only on its key, never on which other records were created
// before it.

const golden = 0x9e3779b9;

function scramble(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}

export class Draw {
  // Two 32-bit lanes: with one, some of 50,000 records would share a key.
  private readonly left: number;
  private readonly right: number;
  private step: number;

  constructor(left: number, right: number) {
    this.left = left;
    this.right = right;
    this.step = 0;
  }

  static seeded(seed: number): Draw {
    return new Draw(scramble(seed ^ 0x2545f491), scramble(seed + golden));
  }

  /** A Draw for one purpose; it depends on this Draw's key only, never on how much was drawn from it. */
  at(name: string, index = 0): Draw {
    let left = this.left;
    let right = this.right;
    for (let i = 0; i < name.length; i++) {
      const code = name.charCodeAt(i);
      left = Math.imul(left ^ code, 0x85ebca6b);
      left ^= left >>> 13;
      right = Math.imul(right ^ code, 0xc2b2ae35);
      right ^= right >>> 16;
    }
    left = scramble(left ^ Math.imul(index, golden) ^ right);
    return new Draw(left, scramble(right + index + Math.imul(left, 5)));
  }

  /** A whole number of 32 bits, never negative. */
  bits(): number {
    this.step = (this.step + golden) | 0;
    return scramble(scramble(this.left + this.step) ^ this.right) >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  unit(): number {
    return this.bits() / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** A whole number, both ends inclusive. */
  int(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.unit() * choices.length)] as T;
  }

  /** Several different choices, in drawn order. */
  some<T>(choices: readonly T[], count: number): T[] {
    const chosen: T[] = [];
    for (let tries = 0; chosen.length < Math.min(count, choices.length) && tries < count * 20; tries++) {
      const choice = this.pick(choices);
      if (!chosen.includes(choice)) chosen.push(choice);
    }
    return chosen;
  }

  hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += this.bits().toString(16).padStart(8, "0");
    return text.slice(0, digits);
  }
}

/** Slowly moving noise between -1 and 1: fixed points every `spacing` steps and straight lines between them. */
export function drift(draw: Draw, step: number, spacing: number): number {
  const cell = Math.floor(step / spacing);
  const along = step / spacing - cell;
  const from = draw.at("drift", cell).between(-1, 1);
  const to = draw.at("drift", cell + 1).between(-1, 1);
  return from + (to - from) * along;
}
