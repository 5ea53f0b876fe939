import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with what could not run here and why, and with one plain line of counts. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const notRun = new Map<string, Set<string>>()
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'pending') continue
        counts[result.state] += 1
        if (result.state !== 'skipped') continue
        const reason = result.note ?? 'no reason given'
        notRun.set(reason, (notRun.get(reason) ?? new Set()).add(test.fullName))
      }
    }
    const lines = [...notRun].map(([reason, [first, ...more]]) => {
      const others = more.length === 0 ? '' : `, and ${more.length} more`
      return `NOT RUN  ${first}${others}: ${reason}`
    })
    const total = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
    process.stdout.write(`${[...lines, total].join('\n')}\n`)
  }
}
