/*
 * Several processes with one key: `processes.mjs COUNT APART WORD…` starts a client COUNT times. APART is the number of
 * milliseconds from one start to the next, or `sequence`: then each starts when the one before has ended.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const [count, apart, program = '', ...words] = process.argv.slice(2)
const ended = []
for (let started = 0; started < Number(count); started += 1) {
  const child = spawn(program, words, { stdio: 'inherit' })
  const end = once(child, 'close')
  ended.push(end)
  if (apart === 'sequence') await end
  else await sleep(Number(apart))
}
const failed = (await Promise.all(ended)).filter(([code]) => code !== 0)
if (failed.length > 0) throw new Error(`${failed.length} processes failed`)
