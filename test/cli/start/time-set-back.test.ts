import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

/** A module for `node --import`: the system's clock, moved by the milliseconds in a file. */
const movedClock = (file: string) => `
  import { readFileSync } from 'node:fs'
  const now = Date.now
  Date.now = () => now() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'))`

it('a server keeps Retry-After when the system clock goes back two hours, and follows it forward and on its return', async () => {
  const directory = directoryWith({ offset: '0' })
  const file = join(directory, 'offset')
  const module = `data:text/javascript,${encodeURIComponent(movedClock(file))}`
  const { ready, stderr, untilTold } = await serveJson(['-s', 'rate-limit-exhaustion'], {
    env: { NODE_OPTIONS: `--import=${module}` },
  })
  const call = async () => {
    const response = await fetch(`${ready.url}/pets`, { headers: { Authorization: 'Bearer demo-free' } })
    await response.text()
    const date = Date.parse(response.headers.get('date') ?? '')
    return { status: response.status, wait: Number(response.headers.get('retry-after')), date }
  }
  for (let count = 0; count < 3; count += 1) expect((await call()).status).toBe(200)
  const before = await call()
  expect(before.status).toBe(429)
  expect(before.wait).toBeLessThanOrEqual(60)

  writeFileSync(file, `${-2 * 3_600_000}`)
  for (let count = 0; count < 2; count += 1) {
    const { status, wait, date } = await call()
    expect(status).toBe(429)
    expect(wait).toBeLessThanOrEqual(before.wait)
    expect(date).toBeGreaterThanOrEqual(before.date)
  }
  await untilTold(/\n/)
  expect(stderr()).toMatch(
    /^The system's clock went back by 2h\. The clock of pet-mock runs on from \S+Z\. To follow the system's clock again: pet-mock clock reset --sandbox '\*'\n$/,
  )

  writeFileSync(file, `${-2 * 3_600_000 + 60_000}`)
  expect((await call()).status).toBe(200)

  writeFileSync(file, '0')
  expect((await call()).date - Date.now()).toBeLessThan(90_000)
  await untilTold(/returned/)
  writeFileSync(file, `${-2 * 3_600_000 + 60_000}`)

  expect(await runCommand(['clock', 'reset', '--sandbox', '*', '--url', ready.url])).toMatchObject({
    code: 0,
  })
  expect((await call()).date - (Date.now() - 2 * 3_600_000 + 60_000)).toBeLessThan(30_000)
})
