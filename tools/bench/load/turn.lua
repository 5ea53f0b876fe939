-- `-- FILE`: sends the requests of FILE in turn. A byte 30 ends each.
dofile('report.lua')

local requests = {}
local sent = 0

function init(args)
  for text in io.open(args[1], 'rb'):read('*a'):gmatch('[^\30]+') do
    requests[#requests + 1] = text
  end
end

function request()
  sent = sent % #requests + 1
  return requests[sent]
end
