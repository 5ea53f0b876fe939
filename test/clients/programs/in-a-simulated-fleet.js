/*
 * One of twelve instances that share a key, as people write them: each job is a fetch, and a refused one comes again after
 * Retry-After (`retry-after`), or all jobs of the instance pause, and some seconds more that chance chooses (`pause`).
 * Words: the policy, when to start, when to end, milliseconds between two jobs, milliseconds to the first, how fast time runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
const [policy, ...numbers] = process.argv.slice(2)
const [start = 0, end = 0, interval = 1, first = 0, speed = 1] = numbers.map(Number)
let pausedUntil = 0

async function work() {
  for (;;) {
    if (policy === 'pause') await sleep(Math.max(0, pausedUntil - Date.now()))
    const response = await fetch(`${url}/pets?limit=1`, { headers: { Authorization: `Bearer ${key}` } })
    await response.text()
    const wait = Number(response.headers.get('retry-after')) * 1_000
    if (response.ok || wait === 0) return
    if (policy === 'pause')
      pausedUntil = Math.max(pausedUntil, Date.now() + wait + (Math.random() * 5_000) / speed)
    else await sleep(wait)
  }
}

// The first call of a process takes longer.
await fetch('data:,')
setTimeout(() => process.exit(), end - Date.now())
for (let at = start + first; at < end; at += interval) {
  await sleep(at - Date.now())
  // With a pause, jobs wait for their turn, as in a queue.
  if (policy === 'pause' && pausedUntil > Date.now()) await sleep(pausedUntil - Date.now())
  void work()
}
