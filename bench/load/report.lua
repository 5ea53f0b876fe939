-- Ends wrk's report with one line of JSON. Durations are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  print(string.format('{"calls":%d,"seconds":%.6f,"p99Us":%.1f,"failed":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(99), failed))
end
