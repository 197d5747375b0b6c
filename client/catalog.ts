// Types and paths of all lists, generated from the catalog by `npm run docs`. Don't edit.
import type { List, StreamedList } from "./list.ts";

/** Codes of errors. */
export type ProblemCode = "request.parameters" | "request.tokens" | "request.body" | "request.members" | "request.malformed" | "key.missing" | "key.header" | "key.unknown" | "key.scope" | "key.license" | "key.resource" | "key.network" | "key.origin" | "request.origin" | "request.path" | "key.absent" | "webhook.absent" | "link.absent" | "link.unknown" | "request.method" | "format.unacceptable" | "key.conflict" | "webhook.limit" | "link.limit" | "request.timeout" | "changes.gone" | "stream.gone" | "request.size" | "request.url" | "request.type" | "records.refused" | "request.upgrade" | "limit.rate" | "limit.quota" | "limit.streams" | "limit.tokens" | "request.range" | "request.headers" | "server.fault" | "server.busy" | "server.expensive" | "server.unavailable";

/** A record of news. */
export type NewsRecord = {
  /** Author. */
  author: string;
  /** Full text, HTML; filled when `displayOutput` is full. */
  body: string;
  /** Channels of the item. */
  channels: {
    /** Channel name. */
    name: string;
  }[];
  /** When the item was published, in the service's time zone. */
  created: string;
  /** Item identifier. */
  id: number;
  /** Images. */
  image: {
    /** Size, such as thumb, small, or large. */
    size: string;
    /** URL of the image. */
    url: string;
  }[];
  /** Identifier of the item this one is derived from; omitted if there is none. */
  original_id?: number;
  /** Instruments the item is about. */
  stocks: {
    /** CUSIP. */
    cusip?: string;
    /** Exchange. */
    exchange?: string;
    /** ISIN. */
    isin?: string;
    /** Ticker symbol. */
    name: string;
  }[];
  /** Tags. */
  tags: {
    /** Tag. */
    name: string;
  }[];
  /** Teaser; filled when `displayOutput` is abstract or full. */
  teaser: string;
  /** Headline, plain text. */
  title: string;
  /** When the item was last updated, in the service's time zone. */
  updated: string;
  /** Absolute URL of the item. */
  url: string;
};

export type NewsFilters = {
  /** headline: headline only; abstract: headline and teaser; full: headline, teaser, and full body. */
  readonly displayOutput?: "headline" | "abstract" | "full";
  /** Shorthand for setting `dateFrom` and `dateTo` to this day. */
  readonly date?: string;
  /** First day of publication, in the service's time zone, included. */
  readonly dateFrom?: string;
  /** Last day of publication, in the service's time zone, included. */
  readonly dateTo?: string;
  /** Items updated at or after this time (Unix seconds, UTC), oldest update first. */
  readonly updatedSince?: number | Date;
  /** Items published at or after this time (Unix seconds, UTC), oldest first. */
  readonly publishedSince?: number | Date;
  /** ISINs of the item's stocks. */
  readonly isin?: string | readonly string[];
  /** CUSIPs of the item's stocks. Requires the license `cusip`. */
  readonly cusips?: string | readonly string[];
  /** Ticker symbols of the item's stocks. */
  readonly tickers?: string | readonly string[];
  /** Ticker symbols, matched only against stocks marked as primary. */
  readonly primaryTickers?: string | readonly string[];
  /** Channel names or IDs. */
  readonly channels?: string | readonly string[];
  /** Words or phrases, searched for in title, tags, and body, in that order of priority. */
  readonly topics?: string | readonly string[];
  /** and: all topics required; or: any topic. */
  readonly topicGroupBy?: "and" | "or";
  /** Another spelling of `topicGroupBy`. */
  readonly topic_group_by?: "and" | "or";
  /** Author names. */
  readonly authors?: string | readonly string[];
  /** Content types. */
  readonly contentTypes?: string | readonly string[];
  /** Another spelling of `contentTypes`. */
  readonly content_types?: string | readonly string[];
  /** text: body and teaser as plain text. */
  readonly format?: "text";
  /** Items of exactly this level. */
  readonly importance?: "low" | "medium" | "high";
  /** Country code or English name of a region: ca, CAN, and Canada are equivalent. */
  readonly region?: string;
};

export type NewsParameters = NewsFilters & {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
  /** Field and direction; default `created:desc`. */
  readonly sort?: "id:asc" | "id:desc" | "created:asc" | "created:desc" | "updated:asc" | "updated:desc";
};

export type NewsItemParameters = {
  /** headline: headline only; abstract: headline and teaser; full: headline, teaser, and full body. */
  readonly displayOutput?: "headline" | "abstract" | "full";
  /** text: body and teaser as plain text. */
  readonly format?: "text";
};

/** A record of ratings. */
export type RatingsRecord = {
  /** What the firm did. */
  action_company: "Downgrades" | "Maintains" | "Reinstates" | "Reiterates" | "Upgrades" | "Assumes" | "Initiates Coverage On" | "Terminates Coverage On" | "Removes" | "Suspends" | "Firm Dissolved" | (string & {});
  /** What happened to the price target, such as Raises or Lowers. */
  action_pt: string;
  /** Price target, adjusted for splits. */
  adjusted_pt_current: string;
  /** Previous price target, adjusted for splits. */
  adjusted_pt_prior: string;
  /** Name of the firm. */
  analyst: string;
  /** Identifier of the analyst (person). */
  analyst_id: string;
  /** Name of the analyst (person). */
  analyst_name: string;
  /** Currency code. */
  currency: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Exchange of the listing. */
  exchange: string;
  /** Identifier of the firm. */
  firm_id: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance: number;
  /** ISIN. */
  isin: string;
  /** Company name. */
  name: string;
  /** Free text. */
  notes: string;
  /** Price target. */
  pt_current: string;
  /** Change of the price target in percent, with a sign; computed when not imported. */
  pt_pct_change?: string;
  /** Previous price target. */
  pt_prior: string;
  /** Rating, in the firm's own words. */
  rating_current: string;
  /** Previous rating. */
  rating_prior: string;
  /** Track record of the analyst. */
  ratings_accuracy?: Record<string, unknown>;
  /** Ticker symbol. */
  ticker: string;
  /** Clock time of the event, New York. */
  time: string;
  /** Last update, Unix seconds in UTC. */
  updated: number;
  /** URL of the record. */
  url: string;
  /** URL of the calendar page. */
  url_calendar: string;
  /** URL of the news item. */
  url_news: string;
};

export type RatingsFilters = {
  /** Shorthand for setting `parameters[date_from]` and `parameters[date_to]` to this day. */
  readonly date?: string;
  /** Another spelling of `date`. */
  readonly "parameters[date]"?: string;
  /** First day, included. */
  readonly dateFrom?: string;
  /** Another spelling of `dateFrom`. */
  readonly "parameters[date_from]"?: string;
  /** Another spelling of `dateFrom`. */
  readonly date_from?: string;
  /** Last day, included. */
  readonly dateTo?: string;
  /** Another spelling of `dateTo`. */
  readonly "parameters[date_to]"?: string;
  /** Another spelling of `dateTo`. */
  readonly date_to?: string;
  /** Records updated at or after this time (Unix seconds, UTC), oldest update first. */
  readonly updated?: number | Date;
  /** Another spelling of `updated`. */
  readonly "parameters[updated]"?: number | Date;
  /** Records of at least this importance. */
  readonly importance?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Another spelling of `importance`. */
  readonly "parameters[importance]"?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Ticker symbols. */
  readonly tickers?: string | readonly string[];
  /** Another spelling of `tickers`. */
  readonly "parameters[tickers]"?: string | readonly string[];
  /** Analyst identifiers, as in `analyst_id`. */
  readonly analystId?: string | readonly string[];
  /** Another spelling of `analystId`. */
  readonly "parameters[analyst_id]"?: string | readonly string[];
  /** Another spelling of `analystId`. */
  readonly analyst_id?: string | readonly string[];
  /** Firm identifiers, as in `firm_id`. */
  readonly firmId?: string | readonly string[];
  /** Another spelling of `firmId`. */
  readonly "parameters[firm_id]"?: string | readonly string[];
  /** Another spelling of `firmId`. */
  readonly firm_id?: string | readonly string[];
  /** What the firm did, as in `action_company`. */
  readonly action?: "Downgrades" | "Maintains" | "Reinstates" | "Reiterates" | "Upgrades" | "Assumes" | "Initiates Coverage On" | "Terminates Coverage On" | "Removes" | "Suspends" | "Firm Dissolved";
  /** Another spelling of `action`. */
  readonly "parameters[action]"?: "Downgrades" | "Maintains" | "Reinstates" | "Reiterates" | "Upgrades" | "Assumes" | "Initiates Coverage On" | "Terminates Coverage On" | "Removes" | "Suspends" | "Firm Dissolved";
  /** Analysts (persons) by identifier; default all. */
  readonly analyst?: string | readonly string[];
  /** Analyst firms by identifier; default all. */
  readonly firm?: string | readonly string[];
  /** Reduce ratings to Buy, Hold, and Sell. */
  readonly simplify?: boolean;
};

export type RatingsParameters = RatingsFilters & {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
};

export type RatingsItemParameters = Record<never, never>;

/** A record of dividends. */
export type DividendsRecord = {
  /** Whether the event is confirmed. */
  confirmed: boolean;
  /** Currency code. */
  currency: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Amount of this payment. */
  dividend: string;
  /** Amount of the previous payment. */
  dividend_prior: string;
  /** Kind of payment, such as Cash. */
  dividend_type: string;
  /** Yield; 1 means 100 percent. */
  dividend_yield: string;
  /** Whether regular payments end with this one. */
  end_regular_dividend: boolean;
  /** First day on which shares trade without the dividend. */
  ex_dividend_date: string;
  /** Exchange of the listing. */
  exchange: string;
  /** Payments per year. */
  frequency: number;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance: number;
  /** ISIN. */
  isin: string;
  /** Company name. */
  name: string;
  /** Free text. */
  notes: string;
  /** Payment date. */
  payable_date: string;
  /** Fiscal period label, such as Q1 or FY. */
  period: string;
  /** Record date: shareholders of record on this day receive the dividend. */
  record_date: string;
  /** Ticker symbol. */
  ticker: string;
  /** Last update, Unix seconds in UTC. */
  updated: number;
  /** Year of the dividend. */
  year: number;
};

export type DividendsFilters = {
  /** Shorthand for setting `parameters[date_from]` and `parameters[date_to]` to this day. */
  readonly date?: string;
  /** Another spelling of `date`. */
  readonly "parameters[date]"?: string;
  /** First day, included. */
  readonly dateFrom?: string;
  /** Another spelling of `dateFrom`. */
  readonly "parameters[date_from]"?: string;
  /** Another spelling of `dateFrom`. */
  readonly date_from?: string;
  /** Last day, included. */
  readonly dateTo?: string;
  /** Another spelling of `dateTo`. */
  readonly "parameters[date_to]"?: string;
  /** Another spelling of `dateTo`. */
  readonly date_to?: string;
  /** Records updated at or after this time (Unix seconds, UTC), oldest update first. */
  readonly updated?: number | Date;
  /** Another spelling of `updated`. */
  readonly "parameters[updated]"?: number | Date;
  /** Records of at least this importance. */
  readonly importance?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Another spelling of `importance`. */
  readonly "parameters[importance]"?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Ticker symbols. */
  readonly tickers?: string | readonly string[];
  /** Another spelling of `tickers`. */
  readonly "parameters[tickers]"?: string | readonly string[];
  /** Shorthand for setting `parameters[ex_dividend_date_from]` and `parameters[ex_dividend_date_to]` to this day. */
  readonly exDividendDate?: string;
  /** Another spelling of `exDividendDate`. */
  readonly "parameters[ex_dividend_date]"?: string;
  /** Another spelling of `exDividendDate`. */
  readonly ex_dividend_date?: string;
  /** First ex-dividend date, included. */
  readonly exDividendDateFrom?: string;
  /** Another spelling of `exDividendDateFrom`. */
  readonly "parameters[ex_dividend_date_from]"?: string;
  /** Another spelling of `exDividendDateFrom`. */
  readonly ex_dividend_date_from?: string;
  /** Last ex-dividend date, included. */
  readonly exDividendDateTo?: string;
  /** Another spelling of `exDividendDateTo`. */
  readonly "parameters[ex_dividend_date_to]"?: string;
  /** Another spelling of `exDividendDateTo`. */
  readonly ex_dividend_date_to?: string;
  /** Yield to compare with; 1 means 100 percent. A record without a yield never matches. */
  readonly dividendYield?: number | string;
  /** Another spelling of `dividendYield`. */
  readonly "parameters[dividend_yield]"?: number | string;
  /** Another spelling of `dividendYield`. */
  readonly dividend_yield?: number | string;
  /** How the yield is compared; default eq. */
  readonly dividendYieldOperation?: "gt" | "gte" | "eq" | "lte" | "lt";
  /** Another spelling of `dividendYieldOperation`. */
  readonly "parameters[dividend_yield_operation]"?: "gt" | "gte" | "eq" | "lte" | "lt";
  /** Another spelling of `dividendYieldOperation`. */
  readonly dividend_yield_operation?: "gt" | "gte" | "eq" | "lte" | "lt";
};

export type DividendsParameters = DividendsFilters & {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
  /** Dividend date to sort by, newest first; records without it come last. Date filters still apply to date. */
  readonly dateSort?: "announced" | "ex" | "payable" | "record";
  /** Another spelling of `dateSort`. */
  readonly "parameters[date_sort]"?: "announced" | "ex" | "payable" | "record";
  /** Another spelling of `dateSort`. */
  readonly date_sort?: "announced" | "ex" | "payable" | "record";
};

export type DividendsItemParameters = Record<never, never>;

/** A record of guidance. */
export type GuidanceRecord = {
  /** Whether the event is confirmed. */
  confirmed: boolean;
  /** Currency code. */
  currency: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Estimated earnings per share. */
  eps_guidance_est: string;
  /** Upper end of the guided earnings per share. */
  eps_guidance_max: string;
  /** Lower end of the guided earnings per share. */
  eps_guidance_min: string;
  /** Upper end of the previous guidance. */
  eps_guidance_prior_max: string;
  /** Lower end of the previous guidance. */
  eps_guidance_prior_min: string;
  /** Basis of earnings per share, such as Adj or GAAP. */
  eps_type: string;
  /** Exchange of the listing. */
  exchange: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance: number;
  /** Whether this is the company's primary guidance, as a boolean word: true, y, yes, and 1 mean that it is. */
  is_primary: string;
  /** Company name. */
  name: string;
  /** Free text. */
  notes: string;
  /** Fiscal period label, such as Q1 or FY. */
  period: string;
  /** Fiscal year of the period. */
  period_year: number;
  /** Whether the guidance is preliminary, as a boolean word. */
  prelim: string;
  /** Estimated revenue. */
  revenue_guidance_est: string;
  /** Upper end of the guided revenue. */
  revenue_guidance_max: string;
  /** Lower end of the guided revenue. */
  revenue_guidance_min: string;
  /** Upper end of the previous guidance. */
  revenue_guidance_prior_max: string;
  /** Lower end of the previous guidance. */
  revenue_guidance_prior_min: string;
  /** Basis of revenue, such as Adj or GAAP. */
  revenue_type: string;
  /** Ticker symbol. */
  ticker: string;
  /** Clock time of the event, New York. */
  time: string;
  /** Last update, Unix seconds in UTC. */
  updated: number;
};

export type GuidanceFilters = {
  /** Shorthand for setting `parameters[date_from]` and `parameters[date_to]` to this day. */
  readonly date?: string;
  /** Another spelling of `date`. */
  readonly "parameters[date]"?: string;
  /** First day, included. */
  readonly dateFrom?: string;
  /** Another spelling of `dateFrom`. */
  readonly "parameters[date_from]"?: string;
  /** Another spelling of `dateFrom`. */
  readonly date_from?: string;
  /** Last day, included. */
  readonly dateTo?: string;
  /** Another spelling of `dateTo`. */
  readonly "parameters[date_to]"?: string;
  /** Another spelling of `dateTo`. */
  readonly date_to?: string;
  /** Records updated at or after this time (Unix seconds, UTC), oldest update first. */
  readonly updated?: number | Date;
  /** Another spelling of `updated`. */
  readonly "parameters[updated]"?: number | Date;
  /** Records of at least this importance. */
  readonly importance?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Another spelling of `importance`. */
  readonly "parameters[importance]"?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Ticker symbols. */
  readonly tickers?: string | readonly string[];
  /** Another spelling of `tickers`. */
  readonly "parameters[tickers]"?: string | readonly string[];
  /** Primary guidance (Y), secondary (N), or both (All). */
  readonly isPrimary?: "Y" | "N" | "All";
  /** Another spelling of `isPrimary`. */
  readonly "parameters[is_primary]"?: "Y" | "N" | "All";
  /** Another spelling of `isPrimary`. */
  readonly is_primary?: "Y" | "N" | "All";
};

export type GuidanceParameters = GuidanceFilters & {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
};

export type GuidanceItemParameters = Record<never, never>;

/** A record of earnings. */
export type EarningsRecord = {
  /** Currency code. */
  currency: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** 1 if the day is confirmed, otherwise 0. */
  date_confirmed: number;
  /** Earnings per share. */
  eps: string;
  /** Estimated earnings per share. */
  eps_est: string;
  /** Earnings per share in the same period of the previous year. */
  eps_prior: string;
  /** Earnings per share minus the estimate. */
  eps_surprise: string;
  /** The surprise as a fraction of the estimate. */
  eps_surprise_percent: string;
  /** Basis of earnings per share: Adj, GAAP, or FFO. */
  eps_type: string;
  /** Exchange of the listing. */
  exchange: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance: number;
  /** ISIN. */
  isin: string;
  /** Company name. */
  name: string;
  /** Free text. */
  notes: string;
  /** Fiscal period label, such as Q1 or FY. */
  period: string;
  /** Fiscal year of the period. */
  period_year: number;
  /** Revenue. */
  revenue: string;
  /** Estimated revenue. */
  revenue_est: string;
  /** Revenue in the same period of the previous year. */
  revenue_prior: string;
  /** Revenue minus the estimate. */
  revenue_surprise: string;
  /** The surprise as a fraction of the estimate. */
  revenue_surprise_percent: string;
  /** Basis of revenue: Adj or GAAP. */
  revenue_type: string;
  /** Ticker symbol. */
  ticker: string;
  /** Session code (bmo before the open, dmh during market hours, amc after the close) or a clock time. */
  time: string;
  /** Last update, Unix seconds in UTC. */
  updated: number;
};

export type EarningsFilters = {
  /** Shorthand for setting `parameters[date_from]` and `parameters[date_to]` to this day. */
  readonly date?: string;
  /** Another spelling of `date`. */
  readonly "parameters[date]"?: string;
  /** First day, included. */
  readonly dateFrom?: string;
  /** Another spelling of `dateFrom`. */
  readonly "parameters[date_from]"?: string;
  /** Another spelling of `dateFrom`. */
  readonly date_from?: string;
  /** Last day, included. */
  readonly dateTo?: string;
  /** Another spelling of `dateTo`. */
  readonly "parameters[date_to]"?: string;
  /** Another spelling of `dateTo`. */
  readonly date_to?: string;
  /** Records updated at or after this time (Unix seconds, UTC), oldest update first. */
  readonly updated?: number | Date;
  /** Another spelling of `updated`. */
  readonly "parameters[updated]"?: number | Date;
  /** Records of at least this importance. */
  readonly importance?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Another spelling of `importance`. */
  readonly "parameters[importance]"?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Ticker symbols. */
  readonly tickers?: string | readonly string[];
  /** Another spelling of `tickers`. */
  readonly "parameters[tickers]"?: string | readonly string[];
};

export type EarningsParameters = EarningsFilters & {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
  /** Sort by date; date alone is `date:desc`. */
  readonly dateSort?: "date:desc" | "date:asc" | "date";
  /** Another spelling of `dateSort`. */
  readonly "parameters[date_sort]"?: "date:desc" | "date:asc" | "date";
  /** Another spelling of `dateSort`. */
  readonly date_sort?: "date:desc" | "date:asc" | "date";
};

export type EarningsItemParameters = Record<never, never>;

/** A record of economics. */
export type EconomicsRecord = {
  /** Value as released. */
  actual: string;
  /** Value as released, abbreviated. */
  actual_t: string;
  /** Whether the event is confirmed. */
  confirmed: boolean;
  /** Consensus forecast. */
  consensus: string;
  /** Consensus forecast, abbreviated. */
  consensus_t: string;
  /** English name of the country. */
  country: string;
  /** Day of the event. */
  date: string;
  /** What the release measures. */
  description: string;
  /** Category, such as Inflation. */
  event_category: string;
  /** Name of the event. */
  event_name: string;
  /** Period that the value covers. */
  event_period: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 1 to 3; 0 when unknown. */
  importance: number;
  /** Free text. */
  notes: string;
  /** Fiscal year of the period. */
  period_year: number;
  /** Value for the previous period. */
  prior: string;
  /** Value for the previous period, abbreviated. */
  prior_t: string;
  /** Clock time of the event, New York. */
  time: string;
  /** Last update, Unix seconds in UTC. */
  updated: number;
};

export type EconomicsFilters = {
  /** Shorthand for setting `parameters[date_from]` and `parameters[date_to]` to this day. */
  readonly date?: string;
  /** Another spelling of `date`. */
  readonly "parameters[date]"?: string;
  /** First day, included. */
  readonly dateFrom?: string;
  /** Another spelling of `dateFrom`. */
  readonly "parameters[date_from]"?: string;
  /** Another spelling of `dateFrom`. */
  readonly date_from?: string;
  /** Last day, included. */
  readonly dateTo?: string;
  /** Another spelling of `dateTo`. */
  readonly "parameters[date_to]"?: string;
  /** Another spelling of `dateTo`. */
  readonly date_to?: string;
  /** Records updated at or after this time (Unix seconds, UTC), oldest update first. */
  readonly updated?: number | Date;
  /** Another spelling of `updated`. */
  readonly "parameters[updated]"?: number | Date;
  /** Records of at least this importance. */
  readonly importance?: 1 | 2 | 3;
  /** Another spelling of `importance`. */
  readonly "parameters[importance]"?: 1 | 2 | 3;
  /** Three-letter country code, or EMU for the euro area. */
  readonly country?: string;
  /** Categories. */
  readonly eventCategory?: string | readonly string[];
  /** Another spelling of `eventCategory`. */
  readonly event_category?: string | readonly string[];
};

export type EconomicsParameters = EconomicsFilters & {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
};

export type EconomicsItemParameters = Record<never, never>;

/** A record of conferenceCalls. */
export type ConferenceCallsRecord = {
  /** Access code of the call. */
  access_code: string;
  /** Whether the event is confirmed. */
  confirmed: boolean;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Exchange of the listing. */
  exchange: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance: number;
  /** Phone number from abroad. */
  international_num: string;
  /** ISIN. */
  isin: string;
  /** Company name. */
  name: string;
  /** Free text. */
  notes: string;
  /** Fiscal period label, such as Q1 or FY. */
  period: string;
  /** Fiscal year of the period. */
  period_year: number;
  /** Phone number. */
  phone_num: string;
  /** Reservation number. */
  reservation_num: string;
  /** Clock time at which the call starts, New York. */
  start_time: string;
  /** Ticker symbol. */
  ticker: string;
  /** Clock time of the event, New York. */
  time: string;
  /** Last update, Unix seconds in UTC. */
  updated: number;
  /** URL of the webcast. */
  webcast_url: string;
};

export type ConferenceCallsFilters = {
  /** Shorthand for setting `parameters[date_from]` and `parameters[date_to]` to this day. */
  readonly date?: string;
  /** Another spelling of `date`. */
  readonly "parameters[date]"?: string;
  /** First day, included. */
  readonly dateFrom?: string;
  /** Another spelling of `dateFrom`. */
  readonly "parameters[date_from]"?: string;
  /** Another spelling of `dateFrom`. */
  readonly date_from?: string;
  /** Last day, included. */
  readonly dateTo?: string;
  /** Another spelling of `dateTo`. */
  readonly "parameters[date_to]"?: string;
  /** Another spelling of `dateTo`. */
  readonly date_to?: string;
  /** Records updated at or after this time (Unix seconds, UTC), oldest update first. */
  readonly updated?: number | Date;
  /** Another spelling of `updated`. */
  readonly "parameters[updated]"?: number | Date;
  /** Ticker symbols. */
  readonly tickers?: string | readonly string[];
  /** Another spelling of `tickers`. */
  readonly "parameters[tickers]"?: string | readonly string[];
};

export type ConferenceCallsParameters = ConferenceCallsFilters & {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
};

export type ConferenceCallsItemParameters = Record<never, never>;

/** A record of newsChannels. */
export type NewsChannelsRecord = {
  /** Channel ID; omitted if no item includes it. */
  id?: number;
  /** Channel name, as spelled in the newest item. */
  name: string;
};

export type NewsChannelsParameters = Record<never, never>;

/** A record of newsRemoved. */
export type NewsRemovedRecord = {
  /** Item identifier. */
  id: number;
  /** When the record was removed, Unix seconds in UTC. */
  updated: number;
};

export type NewsRemovedParameters = {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
  /** Records removed at or after this time (Unix seconds, UTC), oldest removal first. */
  readonly updatedSince?: number | Date;
};

/** A record of ratingsAnalysts. */
export type RatingsAnalystsRecord = {
  /** Identifier of the firm. */
  firm_id: string;
  /** Name of the firm. */
  firm_name: string;
  /** Identifier of the analyst (person). */
  id: string;
  /** Name of the analyst (person). */
  name_full: string;
};

export type RatingsAnalystsParameters = {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
};

/** A record of ratingsFirms. */
export type RatingsFirmsRecord = {
  /** Identifier of the firm. */
  id: string;
  /** Name of the firm. */
  name: string;
};

export type RatingsFirmsParameters = {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
};

/** A record of calendarRemoved. */
export type CalendarRemovedRecord = {
  /** Record identifier. */
  id: string;
  /** Calendar that held the record. */
  type: "ratings" | "dividends" | "guidance" | "earnings" | "economics" | "conference-calls" | (string & {});
  /** When the record was removed, Unix seconds in UTC. */
  updated: number;
};

export type CalendarRemovedParameters = {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent. */
  readonly cursor?: string;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
  /** Records removed at or after this time (Unix seconds, UTC), oldest removal first. */
  readonly updated?: number | Date;
  /** Another spelling of `updated`. */
  readonly "parameters[updated]"?: number | Date;
  /** Only removals from this calendar; default all. */
  readonly type?: "ratings" | "dividends" | "guidance" | "earnings" | "economics" | "conference-calls";
};

/** A record of days. */
export type DaysRecord = {
  /** Conference calls: records of the day. */
  "conference-calls": number;
  /** The day. */
  date: string;
  /** Dividends: records of the day. */
  dividends: number;
  /** Earnings: records of the day. */
  earnings: number;
  /** Economic events: records of the day. */
  economics: number;
  /** Guidance: records of the day. */
  guidance: number;
  /** News: records of the day. */
  news: number;
  /** Analyst ratings: records of the day. */
  ratings: number;
};

export type DaysParameters = {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
  /** Shorthand for setting `parameters[date_from]` and `parameters[date_to]` to this day. */
  readonly date?: string;
  /** Another spelling of `date`. */
  readonly "parameters[date]"?: string;
  /** First day, included. */
  readonly dateFrom?: string;
  /** Another spelling of `dateFrom`. */
  readonly "parameters[date_from]"?: string;
  /** Another spelling of `dateFrom`. */
  readonly date_from?: string;
  /** Last day, included. */
  readonly dateTo?: string;
  /** Another spelling of `dateTo`. */
  readonly "parameters[date_to]"?: string;
  /** Another spelling of `dateTo`. */
  readonly date_to?: string;
};

/** A record of companies. */
export type CompaniesRecord = {
  /** Exchange of the listing. */
  exchange: string;
  /** ISIN. */
  isin: string;
  /** Company name. */
  name: string;
  /** Lists with records of the company. */
  resources: string[];
  /** Ticker symbol, in uppercase. */
  ticker: string;
};

export type CompaniesParameters = {
  /** Page number, counted from 0. Narrow the results with other filters instead of going deeper. */
  readonly page?: number;
  /** Records on a page. */
  readonly pageSize?: number;
  /** Another spelling of `pageSize`. */
  readonly pagesize?: number;
  /** A ticker or words of the name, or their beginnings. */
  readonly search?: string;
};

export type Lists = {
  /** News items, newest first. */
  readonly news: StreamedList<NewsRecord, NewsParameters, NewsFilters, NewsItemParameters>;

  /** Analyst upgrades, downgrades, and price targets, newest first. */
  readonly ratings: StreamedList<RatingsRecord, RatingsParameters, RatingsFilters, RatingsItemParameters, keyof RatingsRecord>;

  /** Dividends by the day they were announced, newest first. */
  readonly dividends: StreamedList<DividendsRecord, DividendsParameters, DividendsFilters, DividendsItemParameters>;

  /** Company guidance on earnings and revenue, newest first. */
  readonly guidance: StreamedList<GuidanceRecord, GuidanceParameters, GuidanceFilters, GuidanceItemParameters>;

  /** Earnings reports, past and scheduled, newest first. */
  readonly earnings: StreamedList<EarningsRecord, EarningsParameters, EarningsFilters, EarningsItemParameters>;

  /** Economic releases with their actual, expected, and prior values, newest first. */
  readonly economics: StreamedList<EconomicsRecord, EconomicsParameters, EconomicsFilters, EconomicsItemParameters>;

  /** Company conference calls, past and scheduled, newest first. There is no importance filter. */
  readonly conferenceCalls: StreamedList<ConferenceCallsRecord, ConferenceCallsParameters, ConferenceCallsFilters, ConferenceCallsItemParameters>;

  /** Every channel of a news item, by name: the values of the channels filter of news. */
  readonly newsChannels: List<NewsChannelsRecord, NewsChannelsParameters>;

  /** News items that were removed, newest removal first. */
  readonly newsRemoved: List<NewsRemovedRecord, NewsRemovedParameters>;

  /** Analysts (persons) who issued ratings, by identifier, each with the firm of the newest rating. */
  readonly ratingsAnalysts: List<RatingsAnalystsRecord, RatingsAnalystsParameters>;

  /** Firms whose analysts issued ratings, by identifier. */
  readonly ratingsFirms: List<RatingsFirmsRecord, RatingsFirmsParameters>;

  /** Records of the calendars that were removed, newest removal first. */
  readonly calendarRemoved: List<CalendarRemovedRecord, CalendarRemovedParameters>;

  /** Number of records of each resource per day, newest day first. */
  readonly days: List<DaysRecord, DaysParameters>;

  /** Companies with records in a calendar, by ticker, or those that match a search, best match first. */
  readonly companies: List<CompaniesRecord, CompaniesParameters>;

};

/** Paths, keys of the response, and wire names of parameters. */
export const lists = {
  news: {"path":"/api/v2/news","parameters":"page cursor pageSize displayOutput date dateFrom dateTo sort updatedSince publishedSince isin cusips tickers primaryTickers channels topics topic_group_by authors content_types format importance region","size":[15,100],"item":"displayOutput format","poll":{"resource":"news","since":"updatedSince","column":"updated","removed":"newsRemoved","removedSince":"updatedSince"}},
  ratings: {"path":"/api/v2.1/calendar/ratings","key":"ratings","parameters":"page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] fields parameters[analyst_id] parameters[firm_id] parameters[action] analyst firm simplify","size":[50,1000],"item":"","poll":{"resource":"ratings","since":"parameters[updated]","column":"updated","removed":"calendarRemoved","removedSince":"parameters[updated]","type":"ratings"}},
  dividends: {"path":"/api/v2.2/calendar/dividends","key":"dividends","parameters":"page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] parameters[date_sort] parameters[ex_dividend_date] parameters[ex_dividend_date_from] parameters[ex_dividend_date_to] parameters[dividend_yield] parameters[dividend_yield_operation]","size":[50,1000],"item":"","poll":{"resource":"dividends","since":"parameters[updated]","column":"updated","removed":"calendarRemoved","removedSince":"parameters[updated]","type":"dividends"}},
  guidance: {"path":"/api/v2.1/calendar/guidance","key":"guidance","parameters":"page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] parameters[is_primary]","size":[50,1000],"item":"","poll":{"resource":"guidance","since":"parameters[updated]","column":"updated","removed":"calendarRemoved","removedSince":"parameters[updated]","type":"guidance"}},
  earnings: {"path":"/api/v2.1/calendar/earnings","key":"earnings","parameters":"page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] parameters[date_sort]","size":[50,1000],"item":"","poll":{"resource":"earnings","since":"parameters[updated]","column":"updated","removed":"calendarRemoved","removedSince":"parameters[updated]","type":"earnings"}},
  economics: {"path":"/api/v2.1/calendar/economics","key":"economics","parameters":"page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] country event_category","size":[50,1000],"item":"","poll":{"resource":"economics","since":"parameters[updated]","column":"updated","removed":"calendarRemoved","removedSince":"parameters[updated]","type":"economics"}},
  conferenceCalls: {"path":"/api/v2.1/calendar/conference-calls","key":"conference-calls","parameters":"page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[tickers]","size":[50,1000],"item":"","poll":{"resource":"conference-calls","since":"parameters[updated]","column":"updated","removed":"calendarRemoved","removedSince":"parameters[updated]","type":"conference-calls"}},
  newsChannels: {"path":"/api/v2.1/news/channels","parameters":""},
  newsRemoved: {"path":"/api/v2/news-removed","key":"removed","parameters":"page cursor pageSize updatedSince","size":[100,1000]},
  ratingsAnalysts: {"path":"/api/v2.1/calendar/ratings/analysts","key":"analysts","parameters":"page pagesize","size":[50,1000],"numbered":true},
  ratingsFirms: {"path":"/api/v2.1/calendar/ratings/firms","key":"firms","parameters":"page pagesize","size":[50,1000],"numbered":true},
  calendarRemoved: {"path":"/api/v2.1/calendar-removed","key":"removed","parameters":"page cursor pageSize parameters[updated] type","size":[100,1000]},
  days: {"path":"/api/v2.1/days","key":"days","parameters":"page pagesize parameters[date] parameters[date_from] parameters[date_to]","size":[31,400],"numbered":true},
  companies: {"path":"/api/v2.1/companies","key":"companies","parameters":"page pagesize search","size":[20,100],"numbered":true},
} as const;
