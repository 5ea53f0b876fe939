import { formatDuration } from '../../base/time/duration.ts'
import type { Io } from './io.ts'

/** Waits, with a countdown on a terminal and one line elsewhere. */
export async function waitVisibly(ms: number, { stderr }: Pick<Io, 'stderr'>): Promise<void> {
  const end = performance.now() + ms
  const isTerminal = stderr.columns !== undefined
  if (!isTerminal) stderr.write(`waiting for ${formatDuration(ms)}\n`)
  for (let left = ms; left > 0; left = end - performance.now()) {
    if (isTerminal) stderr.write(`\r\x1b[K  waiting, ${formatDuration(Math.ceil(left / 1_000) * 1_000)} left`)
    await new Promise(resolve => setTimeout(resolve, Math.min(left, 1_000)))
  }
  if (isTerminal) stderr.write('\r\x1b[K')
}
