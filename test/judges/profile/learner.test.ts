import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../../src/base/time/duration.ts'
import { assumedSettings } from '../../../src/control/profile/assumed.ts'
import type { Line } from '../../../src/emulator/worlds/scenario.ts'
import { createStandIn, drawSettings, modes, type Settings } from './stand-in.ts'

const usual = new Map(assumedSettings.map(({ path, usual }) => [path, usual]))

/** What is wrong about a line, against the settings of the stand-in. */
function wrongOf(path: string, line: Line, settings: Settings): string | undefined {
  const truth = settings[path] ?? usual.get(path) ?? (path.startsWith('errors.') ? undefined : 'none')
  const says = `${path}: ${JSON.stringify(line)}, and it is ${JSON.stringify(truth)}`
  if (path.startsWith('latency.')) return undefined
  if (line.state === 'bounded') {
    const ms = (value: unknown) =>
      (typeof value === 'number' ? value : parseDuration(`${value}`)) ?? Number.NaN
    const isIn =
      (line.atLeast === undefined || ms(truth) >= ms(line.atLeast)) &&
      (line.atMost === undefined || ms(truth) <= ms(line.atMost))
    return isIn ? undefined : says
  }
  if (line.state === 'contradicted') return says
  if (path.startsWith('errors.')) {
    const { code, message } = line.value as { code: string; message?: string }
    const own = (truth ?? {}) as { code?: string; message?: string }
    const isRight =
      code === (own.code ?? path.slice(7)) &&
      (message === undefined || own.message === undefined || message === own.message)
    return isRight ? undefined : says
  }
  if (path === 'bans.for')
    return parseDuration(`${line.value}`) === parseDuration(`${truth}`) ? undefined : says
  return JSON.stringify(line.value) === JSON.stringify(truth) ? undefined : says
}

const noonOf = (seed: number) => Date.UTC(seed % 3 === 0 ? 2033 : 2026, 10, 22, 12, 0, 0)

describe.each(Object.keys(modes) as (keyof typeof modes)[])('%s', mode => {
  test('no line is wrong', () => {
    const wrong: string[] = []
    const settled: Record<string, number> = {}
    for (let seed = 1; seed <= Number(process.env.L_SEEDS ?? 60); seed += 1) {
      const settings = drawSettings(seed)
      const service = createStandIn(settings, {
        at: noonOf(seed) + ((seed * 7_919) % 60_000),
        offset: (seed % 5) * 13_337,
      })
      modes[mode](service)
      const { learned } = service.profile()
      for (const [path, line] of Object.entries(learned)) {
        const problem = wrongOf(path, line, settings)
        if (problem === undefined) settled[path] = (settled[path] ?? 0) + 1
        else wrong.push(`${seed} ${problem}`)
      }
    }
    process.stderr.write(
      `${mode} ${JSON.stringify(settled)} ${Object.keys(settled).length} ${wrong.length}\n${wrong.join('\n').slice(0, 6000)}\n`,
    )
    expect(wrong).toEqual([])
  })
})
