import { test } from 'vitest'
import { createStandIn, drawSettings, modes } from '/work/wt2/L/test/judges/profile/stand-in.ts'
const noon = Date.UTC(2026, 10, 22, 12, 0, 0)
test('x', () => {
  const seed = Number(process.env.L_SEED)
  const settings = drawSettings(seed)
  const service = createStandIn(settings, { at: noon + ((seed * 7_919) % 60_000), offset: (seed % 5) * 13_337 })
  modes[process.env.L_MODE as 'learn'](service)
  process.stderr.write(JSON.stringify(settings) + '\n')
  for (const { call, reply } of service.exchanges) {
    const h = reply.headers
    process.stderr.write(`${call.method} ${call.target} ${reply.status} ${h.Date?.slice(17)} ${Object.entries(h).filter(([n]) => /rate|sample|retry/i.test(n)).map(([n, v]) => `${n}=${v}`).join(' ')} ${reply.status >= 400 ? reply.body : ''}\n`)
  }
  process.stderr.write(JSON.stringify(service.profile().learned, null, 0) + '\n')
})
