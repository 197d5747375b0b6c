// What each section of a company is given.
import type { Item } from "../../parts/column.tsx";
import type { Part } from "../../parts/part.ts";

export type SectionProps = {
  readonly symbol: string;
  readonly part: Part;
  readonly onOpen: (record: Item) => void;
  readonly openId: string | undefined;
};
