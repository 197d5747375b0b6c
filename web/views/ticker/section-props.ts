// What each section of a company is given.

import type { Part } from "../../parts/part.ts";
import type { Item } from "../../parts/table/column.tsx";

export type SectionProps = {
  readonly symbol: string;
  readonly part: Part;
  readonly onOpen: (record: Item) => void;
  readonly openId: string | undefined;
};
