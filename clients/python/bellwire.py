"""Client for Bellwire and any other server with its interface. One file, standard library only, Python 3.9 or newer.

    from bellwire import Bellwire

    api = Bellwire("http://127.0.0.1:8080", token)
    for rating in api.ratings.list(tickers=["AAPL"], importance=3, date_from="2026-01-01"):
        print(rating["date"], rating["analyst"], rating["rating_current"])
"""

from __future__ import annotations

import datetime
import gzip
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Dict, Generic, Iterator, List, MutableMapping, Optional, TypedDict, TypeVar, Union

__all__ = ["Bellwire", "BellwireError", "Change", "Limit", "Page", "Records"]

R = TypeVar("R")

_RETRIED = {0, 408, 425, 429, 500, 502, 503, 504}
_FIRST_DELAY = 0.25
# A page of `list`: each page costs a request, but many callers stop early.
_LIST_SIZE = 100
# The server sends a heartbeat every 15 seconds.
_SILENCE = 45
# Of a response that was cut, or isn't what its headers say.
_BROKEN = (OSError, ValueError, EOFError, HTTPException, zlib.error)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would send the key wherever a redirect points to."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


class BellwireError(Exception):
    """A failed response with its problem document (RFC 9457), or a request without a response (status 0)."""

    def __init__(self, message: str, status: int = 0, headers: Any = None, problem: Optional[Dict[str, Any]] = None):
        super().__init__(message)
        self.status = status
        self.problem = problem or {}
        self.code: Optional[str] = self.problem.get("code")
        #: Every invalid parameter: parameter, given, expected.
        self.errors: List[Dict[str, str]] = self.problem.get("errors", [])
        self.retry_after: Optional[float] = _seconds(headers.get("retry-after")) if headers else None
        self.request_id: Optional[str] = headers.get("x-request-id") if headers else None


@dataclass(frozen=True)
class Limit:
    """What remains of a limit of the key."""

    name: str
    remaining: int
    reset_seconds: int


@dataclass(frozen=True)
class Page(Generic[R]):
    records: List[R]
    #: Parameters of the next page: `api.news.page(**page.next)`; None after the last one.
    next: Optional[Dict[str, Any]]
    etag: Optional[str]
    limits: List[Limit]
    #: Where `follow` continues without a gap.
    position: Optional[str]
    is_cached: bool


@dataclass(frozen=True)
class Change(Generic[R]):
    #: created, updated, or removed
    action: str
    id: Union[str, int]
    resource: str
    #: Unix seconds.
    at: int
    #: None if it was removed.
    record: Optional[R]
    #: Where to continue after this change, as `since`.
    position: str


class Records(Generic[R]):
    """All records of a list, read page by page; each iteration reads them again."""

    def __init__(self, source: "_List[R]", parameters: Dict[str, Any]):
        self._source = source
        self._parameters = parameters

    def __iter__(self) -> Iterator[R]:
        parameters: Optional[Dict[str, Any]] = self._parameters
        while parameters is not None:
            page = self._source.page(**parameters)
            yield from page.records
            parameters = page.next

    def to_records(self) -> List[R]:
        """A list of dictionaries, as `pandas.DataFrame` accepts it."""
        return list(self)


class _List(Generic[R]):
    def __init__(self, client: "Bellwire", spec: Dict[str, Any]):
        self._client = client
        self._spec = spec

    def list(self, **parameters: Any) -> Records[R]:
        """All records, without duplicates or gaps while records are added."""
        query = self._query(parameters)
        size = self._spec.get("size")
        if size and not any(name.lower() == "pagesize" for name in query):
            query["pagesize"] = str(min(_LIST_SIZE, size[1]))
        return Records(self, query)

    def first(self, **parameters: Any) -> Optional[R]:
        records = self.page(**parameters).records
        return records[0] if records else None

    def page(self, **parameters: Any) -> Page[R]:
        query = self._query(parameters)
        target = _target(self._spec["path"], query)
        cache = self._client._cache
        known = cache.get(target) if cache is not None else None
        headers = {"accept": "application/json", "accept-encoding": "gzip"}
        if known:
            headers["if-none-match"] = known["etag"]
        status, received, text = self._client._request(target, headers)
        is_cached = status == 304 and known is not None
        link = known["link"] if is_cached else received.get("link")
        body = known["body"] if is_cached else text
        etag = received.get("etag")
        if cache is not None and etag and not is_cached:
            cache[target] = {"etag": etag, "body": body, "link": link}
        parsed = json.loads(body)
        records = parsed[self._spec["key"]] if "key" in self._spec else parsed
        following = self._next(query, link, len(records))
        return Page(records, following, etag, _limits(received), received.get("x-stream-position"), is_cached)

    def _next(self, query: Dict[str, str], link: Optional[str], count: int) -> Optional[Dict[str, Any]]:
        rest = {name: value for name, value in query.items() if name not in ("page", "cursor")}
        cursor = re.search(r'<[^>]*[?&]cursor=([^&>]+)[^>]*>\s*;\s*rel="?next"?', link or "")
        if cursor:
            return {**rest, "cursor": urllib.parse.unquote(cursor[1])}
        size = int(query.get("pagesize", self._spec.get("size", [0])[0]))
        if self._spec.get("numbered") and count == size:
            return {**rest, "page": int(query.get("page", 0)) + 1}
        return None

    def _query(self, parameters: Dict[str, Any]) -> Dict[str, str]:
        """By wire name; parameters may be spelled in any way."""
        names = self._spec["parameters"]
        known = {_letters(name): name for name in names.split(" ")}
        query: Dict[str, str] = {}
        for name, value in parameters.items():
            if value is None:
                continue
            wire_name = known.get(_letters(name))
            if wire_name is None:
                raise TypeError(f"{self._spec['path']} has no parameter {name}; it has: {names}")
            if wire_name in query:
                raise TypeError(f"{name} was passed twice, in two spellings")
            query[wire_name] = _text(name, value)
        return query


class StreamedList(_List[R]):
    def get(self, id: Union[str, int], **parameters: Any) -> Optional[R]:
        """The record with this identifier, if there is one."""
        names = f"id {self._spec['item']}"
        item: _List[R] = _List(self._client, {**self._spec, "path": self._spec["path"] + "/{id}", "parameters": names})
        return item.first(id=id, **parameters)

    def follow(self, since: Optional[str] = None, **parameters: Any) -> Iterator[Change[R]]:
        """Changes from now on, or from a position. Reconnects and resumes by itself."""
        query = self._query(parameters)
        if since is not None:
            query["since"] = since
        target = _target(self._spec["path"] + "/stream", query)
        position: Optional[str] = None
        retry = 1.0
        while True:
            headers = {"accept": "text/event-stream", **({"last-event-id": position} if position else {})}
            # Once it has worked, a stream outlasts any outage.
            retries = None if position is None else 1_000_000_000
            with self._client._open(target, headers, retries, _SILENCE) as response:
                try:
                    for event in _events(response):
                        position = event.get("id", position)
                        retry = float(event.get("retry", retry * 1000)) / 1000
                        if "data" in event:
                            yield _change(json.loads(event["data"]), position or "")
                except (OSError, HTTPException):
                    pass  # The connection was lost.
            time.sleep(retry * random.uniform(0.5, 1))


class Bellwire:
    """
    :param cache: a dictionary, or anything like it, for conditional requests.
    :param retries: attempts after the first.
    :param timeout: how long a response may take, in seconds.
    :param max_delay: longest pause before a request is sent again, in seconds; if the server demands a longer one, the
        request fails.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        cache: Optional[MutableMapping[str, Any]] = None,
        retries: int = 4,
        timeout: float = 30,
        max_delay: float = 60,
    ):
        if not re.fullmatch(r"https?://[^\s?#@]+", url or ""):
            received = re.sub("(?s)//.*@", "//…@", url or "")  # A password isn't repeated.
            raise TypeError(f"url: expected an address such as https://news.example.com, received {received!r}")
        # urllib would name the key in its error.
        if not re.fullmatch(r"[\x21-\x7e]+", token or ""):
            raise TypeError("token: expected a key: printable ASCII without spaces or line breaks")
        self._url = url.rstrip("/")
        self._token = token
        self._cache = cache
        self._retries = retries
        self._timeout = timeout
        self._max_delay = max_delay
        self._paused_until = 0.0
        # GENERATED LISTS
        self.news: StreamedList[NewsRecord] = StreamedList(self, _LISTS["news"])
        self.ratings: StreamedList[RatingsRecord] = StreamedList(self, _LISTS["ratings"])
        self.dividends: StreamedList[DividendsRecord] = StreamedList(self, _LISTS["dividends"])
        self.guidance: StreamedList[GuidanceRecord] = StreamedList(self, _LISTS["guidance"])
        self.earnings: StreamedList[EarningsRecord] = StreamedList(self, _LISTS["earnings"])
        self.economics: StreamedList[EconomicsRecord] = StreamedList(self, _LISTS["economics"])
        self.conference_calls: StreamedList[ConferenceCallsRecord] = StreamedList(self, _LISTS["conference-calls"])
        self.news_channels: _List[NewsChannelsRecord] = _List(self, _LISTS["news-channels"])
        self.news_removed: _List[NewsRemovedRecord] = _List(self, _LISTS["news-removed"])
        self.ratings_analysts: _List[RatingsAnalystsRecord] = _List(self, _LISTS["ratings-analysts"])
        self.ratings_firms: _List[RatingsFirmsRecord] = _List(self, _LISTS["ratings-firms"])
        self.calendar_removed: _List[CalendarRemovedRecord] = _List(self, _LISTS["calendar-removed"])
        self.days: _List[DaysRecord] = _List(self, _LISTS["days"])
        self.companies: _List[CompaniesRecord] = _List(self, _LISTS["companies"])
        # END GENERATED LISTS

    def _request(self, target: str, headers: Dict[str, str]) -> Any:
        def read(response: Any) -> Any:
            with response:
                text = _body(response).decode()
            if response.code != 304:
                json.loads(text)  # A response that ends early is requested again.
            return response.code, response.headers, text

        return self._retry(target, headers, self._retries, self._timeout, read)

    def _open(self, target: str, headers: Dict[str, str], retries: Optional[int], timeout: float) -> Any:
        return self._retry(target, headers, self._retries if retries is None else retries, timeout, lambda each: each)

    def _retry(self, target: str, headers: Dict[str, str], retries: int, timeout: float, read: Any) -> Any:
        failures = 0
        while True:
            try:
                return read(self._send(target, headers, timeout))
            except BellwireError as failure:
                error = failure
            except _BROKEN as failure:
                error = BellwireError(f"GET {target}: {failure!r}")
                error.__cause__ = failure
            wait = error.retry_after or 0
            if failures >= retries or error.status not in _RETRIED or wait > self._max_delay:
                raise error
            time.sleep(wait + random.uniform(0, min(self._max_delay, _FIRST_DELAY * 2 ** min(failures, 30))))
            failures += 1

    def _send(self, target: str, headers: Dict[str, str], timeout: float) -> Any:
        time.sleep(max(0.0, self._paused_until - time.monotonic()))
        request = urllib.request.Request(self._url + target, headers={**headers, "authorization": f"Bearer {self._token}"})
        try:
            response = _OPENER.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            self._pace(_limits(error.headers))
            if error.code != 304:
                raise _error_from(target, error) from None
            response = error
        self._pace(_limits(response.headers))
        return response

    def _pace(self, limits: List[Limit]) -> None:
        """A limit that is used up for long is left to the server to report."""
        for limit in limits:
            if limit.remaining == 0 and limit.reset_seconds <= self._max_delay:
                self._paused_until = max(self._paused_until, time.monotonic() + limit.reset_seconds)


def _error_from(target: str, response: Any) -> BellwireError:
    problem: Dict[str, Any] = {}
    if "json" in (response.headers.get("content-type") or ""):
        try:
            problem = json.loads(_body(response))
        except _BROKEN:
            pass
    lines = [f"GET {target}: {response.code} {problem.get('detail') or problem.get('title') or response.reason}"]
    for each in problem.get("errors", []):
        lines.append(f"{each['parameter']}: expected {each['expected']}, received {each['given']}")
    return BellwireError("\n  ".join(lines), response.code, response.headers, problem)


def _body(response: Any) -> bytes:
    body = response.read()
    return gzip.decompress(body) if response.headers.get("content-encoding") == "gzip" else body


def _change(event: Dict[str, Any], position: str) -> Change[Any]:
    """Members that a newer server adds are left out."""
    return Change(event["action"], event["id"], event["resource"], event["at"], event.get("record"), position)


def _events(response: Any) -> Iterator[Dict[str, str]]:
    event: Dict[str, str] = {}
    for line in response:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data" and "data" in event:
            event["data"] += "\n" + value
        elif name:
            event[name] = value
        elif not value and line in (b"\n", b"\r\n"):
            yield event
            event = {}


def _letters(name: str) -> str:
    """The same for date_from, dateFrom, and parameters[date_from]."""
    return re.sub(r"^parameters\[(.+)\]$", r"\1", name).replace("_", "").lower()


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return str(int(value.timestamp()))
    if isinstance(value, (list, tuple, set, frozenset)):
        for member in value:
            if "," in str(member):
                raise TypeError(f"{name}: a member of a list can't contain a comma, received {member!r}")
        return ",".join(str(member) for member in value)
    return str(value)


def _target(path: str, query: Dict[str, str]) -> str:
    rest = dict(query)
    if "{id}" in path:
        id = rest.pop("id", "")
        if id in ("", ".", ".."):  # Nothing and `.` would be the list itself, `..` its parent.
            raise TypeError(f"{path} needs the parameter id, received {id!r}")
        path = path.replace("{id}", urllib.parse.quote(id, safe=""))
    return f"{path}?{urllib.parse.urlencode(sorted(rest.items()))}" if rest else path


def _limits(headers: Any) -> List[Limit]:
    """Such as `RateLimit: "rate";r=0;t=4, "quota";r=87211;t=40211`."""

    def number(key: str, text: str) -> int:
        found = re.search(rf";\s*{key}=(\d+)", text)
        return int(found[1]) if found else 0

    text = headers.get("ratelimit") or ""
    return [Limit(name, number("r", rest), number("t", rest)) for name, rest in re.findall(r'"([^"]*)"([^,]*)', text)]


def _seconds(header: Optional[str]) -> Optional[float]:
    """`Retry-After` is a number of seconds or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


# GENERATED CATALOG
NewsRecord = TypedDict("NewsRecord", {"author": str, "body": str, "channels": List[Dict[str, Any]], "created": str, "id": int, "image": List[Dict[str, Any]], "original_id": int, "stocks": List[Dict[str, Any]], "tags": List[Dict[str, Any]], "teaser": str, "title": str, "updated": str, "url": str}, total=False)
RatingsRecord = TypedDict("RatingsRecord", {"action_company": str, "action_pt": str, "adjusted_pt_current": str, "adjusted_pt_prior": str, "analyst": str, "analyst_id": str, "analyst_name": str, "currency": str, "cusip": Union[int, str], "date": str, "exchange": str, "firm_id": str, "id": str, "importance": int, "isin": str, "name": str, "notes": str, "pt_current": str, "pt_pct_change": str, "pt_prior": str, "rating_current": str, "rating_prior": str, "ratings_accuracy": Dict[str, Any], "ticker": str, "time": str, "updated": int, "url": str, "url_calendar": str, "url_news": str}, total=False)
DividendsRecord = TypedDict("DividendsRecord", {"confirmed": bool, "currency": str, "cusip": Union[int, str], "date": str, "dividend": str, "dividend_prior": str, "dividend_type": str, "dividend_yield": str, "end_regular_dividend": bool, "ex_dividend_date": str, "exchange": str, "frequency": int, "id": str, "importance": int, "isin": str, "name": str, "notes": str, "payable_date": str, "period": str, "record_date": str, "ticker": str, "updated": int, "year": int}, total=False)
GuidanceRecord = TypedDict("GuidanceRecord", {"confirmed": bool, "currency": str, "cusip": Union[int, str], "date": str, "eps_guidance_est": str, "eps_guidance_max": str, "eps_guidance_min": str, "eps_guidance_prior_max": str, "eps_guidance_prior_min": str, "eps_type": str, "exchange": str, "id": str, "importance": int, "is_primary": str, "name": str, "notes": str, "period": str, "period_year": int, "prelim": str, "revenue_guidance_est": str, "revenue_guidance_max": str, "revenue_guidance_min": str, "revenue_guidance_prior_max": str, "revenue_guidance_prior_min": str, "revenue_type": str, "ticker": str, "time": str, "updated": int}, total=False)
EarningsRecord = TypedDict("EarningsRecord", {"currency": str, "cusip": Union[int, str], "date": str, "date_confirmed": int, "eps": str, "eps_est": str, "eps_prior": str, "eps_surprise": str, "eps_surprise_percent": str, "eps_type": str, "exchange": str, "id": str, "importance": int, "isin": str, "name": str, "notes": str, "period": str, "period_year": int, "revenue": str, "revenue_est": str, "revenue_prior": str, "revenue_surprise": str, "revenue_surprise_percent": str, "revenue_type": str, "ticker": str, "time": str, "updated": int}, total=False)
EconomicsRecord = TypedDict("EconomicsRecord", {"actual": str, "actual_t": str, "confirmed": bool, "consensus": str, "consensus_t": str, "country": str, "date": str, "description": str, "event_category": str, "event_name": str, "event_period": str, "id": str, "importance": int, "notes": str, "period_year": int, "prior": str, "prior_t": str, "time": str, "updated": int}, total=False)
ConferenceCallsRecord = TypedDict("ConferenceCallsRecord", {"access_code": str, "confirmed": bool, "cusip": Union[int, str], "date": str, "exchange": str, "id": str, "importance": int, "international_num": str, "isin": str, "name": str, "notes": str, "period": str, "period_year": int, "phone_num": str, "reservation_num": str, "start_time": str, "ticker": str, "time": str, "updated": int, "webcast_url": str}, total=False)
NewsChannelsRecord = TypedDict("NewsChannelsRecord", {"id": int, "name": str}, total=False)
NewsRemovedRecord = TypedDict("NewsRemovedRecord", {"id": int, "updated": int}, total=False)
RatingsAnalystsRecord = TypedDict("RatingsAnalystsRecord", {"firm_id": str, "firm_name": str, "id": str, "name_full": str}, total=False)
RatingsFirmsRecord = TypedDict("RatingsFirmsRecord", {"id": str, "name": str}, total=False)
CalendarRemovedRecord = TypedDict("CalendarRemovedRecord", {"id": str, "type": str, "updated": int}, total=False)
DaysRecord = TypedDict("DaysRecord", {"conference-calls": int, "date": str, "dividends": int, "earnings": int, "economics": int, "guidance": int, "news": int, "ratings": int}, total=False)
CompaniesRecord = TypedDict("CompaniesRecord", {"exchange": str, "isin": str, "name": str, "resources": List[str], "ticker": str}, total=False)
_LISTS: Dict[str, Dict[str, Any]] = {
    "news": {"path": "/api/v2/news","parameters": "page cursor pageSize displayOutput date dateFrom dateTo sort updatedSince publishedSince isin cusips tickers primaryTickers channels topics topic_group_by authors content_types format importance region","size": [15,100],"item": "displayOutput format"},
    "ratings": {"path": "/api/v2.1/calendar/ratings","key": "ratings","parameters": "page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] fields parameters[analyst_id] parameters[firm_id] parameters[action] analyst firm simplify","size": [50,1000],"item": ""},
    "dividends": {"path": "/api/v2.2/calendar/dividends","key": "dividends","parameters": "page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] parameters[date_sort] parameters[ex_dividend_date] parameters[ex_dividend_date_from] parameters[ex_dividend_date_to] parameters[dividend_yield] parameters[dividend_yield_operation]","size": [50,1000],"item": ""},
    "guidance": {"path": "/api/v2.1/calendar/guidance","key": "guidance","parameters": "page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] parameters[is_primary]","size": [50,1000],"item": ""},
    "earnings": {"path": "/api/v2.1/calendar/earnings","key": "earnings","parameters": "page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] parameters[tickers] parameters[date_sort]","size": [50,1000],"item": ""},
    "economics": {"path": "/api/v2.1/calendar/economics","key": "economics","parameters": "page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[importance] country event_category","size": [50,1000],"item": ""},
    "conference-calls": {"path": "/api/v2.1/calendar/conference-calls","key": "conference-calls","parameters": "page cursor pagesize parameters[date] parameters[date_from] parameters[date_to] parameters[updated] parameters[tickers]","size": [50,1000],"item": ""},
    "news-channels": {"path": "/api/v2.1/news/channels","parameters": ""},
    "news-removed": {"path": "/api/v2/news-removed","key": "removed","parameters": "page cursor pageSize updatedSince","size": [100,1000]},
    "ratings-analysts": {"path": "/api/v2.1/calendar/ratings/analysts","key": "analysts","parameters": "page pagesize","size": [50,1000],"numbered":  True},
    "ratings-firms": {"path": "/api/v2.1/calendar/ratings/firms","key": "firms","parameters": "page pagesize","size": [50,1000],"numbered":  True},
    "calendar-removed": {"path": "/api/v2.1/calendar-removed","key": "removed","parameters": "page cursor pageSize parameters[updated] type","size": [100,1000]},
    "days": {"path": "/api/v2.1/days","key": "days","parameters": "page pagesize parameters[date] parameters[date_from] parameters[date_to]","size": [31,400],"numbered":  True},
    "companies": {"path": "/api/v2.1/companies","key": "companies","parameters": "page pagesize search","size": [20,100],"numbered":  True},
}
# END GENERATED CATALOG
