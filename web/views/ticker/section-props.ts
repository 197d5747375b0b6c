// Props of a section of the ticker view.

import type { DataSource } from "../../parts/data-source.ts";
import type { Item } from "../../parts/table/column.tsx";

export type SectionProps = {
  readonly symbol: string;
  readonly source: DataSource;
  readonly onOpen: (record: Item) => void;
  readonly openId: string | undefined;
};
