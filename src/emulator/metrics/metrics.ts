import type { WindowName } from '../../service/limits/window.ts'
import { CallCounts } from './call-counts.ts'
import { Histogram, latencyBounds } from './histogram.ts'

/** What an emulator has counted since it began, over all its sandboxes: a reset or a restore takes nothing back. */
export class Metrics {
  readonly calls = new CallCounts()
  /** Calls over the limit, by the window that was used up. */
  readonly refusals: Record<WindowName, number> = { minute: 0, day: 0 }
  bans = 0
  refusedWhileBanned = 0
  /** By the name of the rule. */
  readonly ruleHits = new Map<string, number>()
  journalEvictions = 0
  /**
   * Seconds from when a call was read until its reply was handed to the system, with the delay that a rule or a
   * `Prefer` header asked for. A door observes it, since nothing below one has a clock.
   */
  readonly latency = new Histogram(latencyBounds)
  readonly onLatency = (seconds: number): void => this.latency.observe(seconds)

  hitRules(names: readonly string[]): void {
    for (const name of names) this.ruleHits.set(name, (this.ruleHits.get(name) ?? 0) + 1)
  }
}
