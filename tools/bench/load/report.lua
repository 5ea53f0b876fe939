-- Ends wrk's report with one line of JSON. Durations are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  local unanswered = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('{"calls":%d,"seconds":%.6f,"p99Us":%.1f,"unanswered":%d,"refused":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(99), unanswered, errors.status))
end
