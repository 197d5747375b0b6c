-- Sends the requests of a file in turn, each as raw bytes, and prints what was measured as one line of JSON.
local list, place = {}, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("[^%z]+") do list[#list + 1] = request end
  file:close()
end

function request()
  place = place % #list + 1
  return list[place]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"seconds":%f,"requests":%d,"bytes":%.0f,"p50Ms":%f,"p99Ms":%f,"failed":%d,"refused":%d}\n',
    summary.duration / 1e6, summary.requests, summary.bytes,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
