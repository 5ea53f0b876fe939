-- `-- N BODY`: every Nth call creates a pet, the others read what the URL names.
dofile('report.lua')

local every, read, create
local sent = 0

function init(args)
  every = tonumber(args[1])
  read = wrk.format('GET')
  wrk.headers['Content-Type'] = 'application/json'
  create = wrk.format('POST', (wrk.path:gsub('%?.*', '')), nil, args[2])
end

function request()
  sent = sent + 1
  return sent % every == 0 and create or read
end
