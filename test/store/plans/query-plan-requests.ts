// The requests whose SQL and query plans are in the golden file.

const range = "parameters[date_from]=2024-11-05&parameters[date_to]=2024-11-08";

/** Combinations of parameters. Those that a resource doesn't have are left out. */
export const together = [
  range,
  `${range}&parameters[importance]=3`,
  `${range}&parameters[updated]=1730817000`,
  "parameters[date_from]=2024-11-05&parameters[updated]=1730817000",
  "parameters[importance]=3&parameters[updated]=1730817000",
  "parameters[tickers]=A&parameters[importance]=3",
  `parameters[tickers]=A&${range}`,
  `parameters[tickers]=A,B&${range}`,
  "parameters[tickers]=A,B&parameters[importance]=3",
  "parameters[tickers]=A&parameters[updated]=1730817000",
  "parameters[tickers]=A,B&parameters[updated]=1730817000",
  "page=2000&pagesize=50",
  ...["parameters[importance]=3", range, `${range}&parameters[importance]=3`].map((filter) => `page=2000&${filter}`),
  ...["parameters[date_sort]=date:asc", "parameters[is_primary]=N", "parameters[tickers]=A"].map(
    (filter) => `page=2000&${range}&${filter}`,
  ),
];

export const more: Readonly<Record<string, readonly string[]>> = {
  news: [
    ...["page=2000&pageSize=50", "page=2000&date=2024-11-05", "page=2000&sort=created:asc&dateFrom=2024-11-05"],
    ...["page=2000&tickers=RARE", "tickers=RARE", "tickers=RARE,AAPL", "tickers=RARE&channels=News", "authors=Common"],
    ...["tickers=RARE&dateFrom=2024-11-05", "tickers=RARE,AAPL&date=2024-11-05&importance=high&region=US"],
    ...["dateFrom=2024-11-05&dateTo=2024-11-08", "date=2024-11-05&sort=created:asc", "publishedSince=5&tickers=RARE"],
    ...["updatedSince=5&publishedSince=5", "updatedSince=5&tickers=RARE", "updatedSince=5&authors=Common"],
    ...["sort=updated:desc&tickers=RARE", "sort=updated:desc&authors=Common", "sort=updated:desc&date=2024-11-05"],
    ...["sort=id:asc&tickers=RARE", "sort=id:asc&authors=Common", "sort=id:asc&dateFrom=2024-11-05"],
    ...["sort=id:asc&updatedSince=5", "sort=created:desc&updatedSince=5", "displayOutput=full&tickers=RARE"],
    ...["topics=merger", "topics=merger,earnings call", "topics=merger,earnings call&topic_group_by=and"],
    ...["topics=merger&sort=created:desc", "topics=merger&sort=created:asc", "topics=merger&publishedSince=5"],
    ...["topics=merger&sort=updated:desc", "topics=merger&sort=id:asc", "topics=merger&updatedSince=5"],
    ...["topics=merger&tickers=RARE", "topics=merger&tickers=RARE,AAPL&date=2024-11-05&displayOutput=full"],
  ],
  ratings: [
    ...["firm=a,b", "analyst=a,b", "firm=a&analyst=b", "firm=a&parameters[firm_id]=a,b", `firm=a&${range}`],
    ...["firm=a&parameters[tickers]=A", "firm=a&parameters[importance]=3", "firm=a&parameters[updated]=5"],
    ...["parameters[action]=Upgrades&parameters[tickers]=A", `parameters[action]=Upgrades&${range}`],
    ...["parameters[action]=Upgrades&parameters[importance]=3", "parameters[action]=Upgrades&parameters[updated]=5"],
    ...["fields=id,ticker&simplify=true&parameters[tickers]=A"],
  ],
  dividends: [
    ...["parameters[date_sort]=ex&parameters[tickers]=A", `parameters[date_sort]=ex&${range}`],
    ...[
      "parameters[date_sort]=ex&parameters[importance]=3",
      "parameters[date_sort]=ex&parameters[dividend_yield]=0.05",
    ],
    ...["parameters[date_sort]=ex&parameters[updated]=5", "parameters[dividend_yield]=0.05&parameters[tickers]=A"],
    ...["gt", "lte"].flatMap((how) =>
      ["", "&parameters[tickers]=A", "&parameters[importance]=3", `&${range}`].map(
        (rest) => `parameters[dividend_yield]=0.05&parameters[dividend_yield_operation]=${how}${rest}`,
      ),
    ),
  ],
  guidance: ["N", "All"].flatMap((which) =>
    [
      "parameters[tickers]=A",
      "parameters[tickers]=A,B",
      "parameters[updated]=5",
      "parameters[importance]=3",
      range,
    ].map((rest) => `parameters[is_primary]=${which}&${rest}`),
  ),
  earnings: [
    ...[`parameters[date_sort]=date:asc&${range}`, "parameters[date_sort]=date:asc&parameters[tickers]=A"],
    ...[
      "parameters[date_sort]=date:asc&parameters[importance]=3",
      "parameters[date_sort]=date:asc&parameters[updated]=5",
    ],
  ],
  economics: [
    ...["event_category=a", "event_category=a,b", "country=USA&event_category=a", "country=USA&event_category=a,b"],
    ...[`country=USA&${range}`, "country=USA&parameters[importance]=2", "country=USA&parameters[updated]=5"],
    ...["event_category=a&parameters[importance]=2", "event_category=a&parameters[updated]=5"],
  ],
};

/** Suffix of a request that continues after a position. */
export const onward = "cursor=…";

/** Requests whose later pages are included too; those that a resource doesn't have are left out. */
export const paged = [
  ...["", range, `${range}&parameters[importance]=3`, "parameters[importance]=3", "parameters[updated]=5"],
  ...["parameters[tickers]=A", "parameters[tickers]=A,B", `parameters[tickers]=A&${range}`],
  ...["parameters[tickers]=A&parameters[updated]=5", `${range}&parameters[updated]=5`, "firm=a", "country=USA"],
  ...["parameters[action]=Upgrades", "parameters[action]=Upgrades&parameters[tickers]=A", "parameters[date_sort]=ex"],
  ...["parameters[date_sort]=date:asc", "parameters[dividend_yield]=0.05", "parameters[is_primary]=N"],
  ...["tickers=RARE", "tickers=RARE,AAPL", "authors=Common", "dateFrom=2024-11-05&dateTo=2024-11-08", "sort=id:asc"],
  ...[
    "date=2024-11-05&sort=created:asc",
    "publishedSince=5&tickers=RARE",
    "updatedSince=5",
    "updatedSince=5&tickers=RARE",
  ],
  ...["sort=updated:desc", "sort=updated:desc&tickers=RARE", "sort=updated:desc&authors=Common", "topics=merger"],
  ...["topics=merger&tickers=RARE", "topics=merger&sort=created:asc", "topics=merger&sort=updated:desc"],
];

/** A few days leave fewer records than were updated since, and so do days that begin after most of the records. */
const updatedInDays = [
  `${range}&parameters[updated]=1730817000`,
  "parameters[date_from]=2024-11-05&parameters[updated]=1730817000",
];

/** So does a rare ticker. */
const updatedOnes = ["parameters[tickers]=A&parameters[updated]=1730817000", ...updatedInDays];

/**
 * Requests for one value of each list whose records come out of the index in another order than the requested one. A list
 * of several values always needs a sort, and is not listed.
 */
export const sorted: Readonly<Record<string, readonly string[]>> = {
  news: [
    // A rare link, or the matches of a search, are fewer than the records that a scan of the order would test.
    ...["updatedSince=5&tickers=RARE", "sort=updated:desc&tickers=RARE", "sort=id:asc&tickers=RARE"],
    ...["topics=merger&sort=updated:desc", "topics=merger&sort=id:asc", "topics=merger&updatedSince=5"],
    // So are those of a few days.
    ...["sort=updated:desc&date=2024-11-05", "sort=id:asc&dateFrom=2024-11-05"],
  ],
  ratings: [...updatedOnes, "firm=a&parameters[updated]=5"],
  dividends: [
    ...updatedOnes,
    ...["parameters[date_sort]=ex&parameters[tickers]=A", `parameters[date_sort]=ex&${range}`],
    ...["parameters[date_sort]=ex&parameters[dividend_yield]=0.05"],
    // Hardly any yield is that low.
    ...["lt", "lte"].map((how) => `parameters[dividend_yield]=0&parameters[dividend_yield_operation]=${how}`),
    // Few records are this old.
    "parameters[ex_dividend_date_to]=2024-11-05",
  ],
  guidance: updatedOnes,
  earnings: updatedOnes,
  economics: [...updatedInDays, "event_category=a&parameters[updated]=5"],
  "conference-calls": updatedOnes,
};
