import { appendFileSync } from 'node:fs'
import { env } from 'node:process'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { leftOut } from './lanes.ts'

/**
 * Ends a run with the tests that passed at a second try only, those that could not run and why, and with one line of counts. The counts are also appended to the
 * file that TEST_COUNTS names, so that `.ci/run` can add up its runs.
 */
export default class CountsReporter implements Reporter {
  #left: readonly string[] = []

  onInit({ projects }: Vitest): void {
    this.#left = projects.some(({ name }) => name === 'rest') ? [] : Object.keys(leftOut)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const again: string[] = []
    const reasons = new Map<string, string[]>()
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'pending') continue
        counts[result.state] += 1
        if (test.diagnostic()?.flaky) {
          const [why] = `${result.errors?.[0]?.message}`.split('\n')
          again.push(`SECOND TRY  ${module.relativeModuleId} > ${test.fullName}: ${why}`)
        }
        if (result.state !== 'skipped') continue
        const reason = result.note ?? 'no reason given'
        reasons.set(reason, [...(reasons.get(reason) ?? []), test.fullName])
      }
    }
    const { passed, failed, skipped } = counts
    if (env.TEST_COUNTS) appendFileSync(env.TEST_COUNTS, `${passed} ${failed} ${skipped}\n`)
    const lines = [...reasons].map(([reason, [first, ...more]]) => {
      const others = more.length === 0 ? '' : `, and ${more.length} more`
      return `NOT RUN  ${first}${others}: ${reason}`
    })
    const left = this.#left.length === 0 ? '' : `. Not run here: ${this.#left.join(', ')} (npm run test:all)`
    const skips = skipped === 0 ? '' : `, ${grouped(skipped)} skipped`
    process.stdout.write(
      `${[...again, ...lines, `${grouped(passed)} passed, ${grouped(failed)} failed${skips}${left}`].join('\n')}\n`,
    )
  }
}

/** 2900 as `2 900`. */
function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ' ')
}
