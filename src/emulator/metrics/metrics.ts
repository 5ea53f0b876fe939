import type { WindowName } from '../../service/limits/window.ts'
import { CallCounts } from './call-counts.ts'
import { Histogram, latencyBounds } from './histogram.ts'

/** Counts of an emulator since its start, over all sandboxes. A reset or a restore does not change them. */
export class Metrics {
  readonly calls = new CallCounts()
  /** Calls over the limit, by the exhausted window. */
  readonly refusals: Record<WindowName, number> = { minute: 0, day: 0 }
  bans = 0
  refusedWhileBanned = 0
  /** By the name of the rule. */
  readonly ruleHits = new Map<string, number>()
  journalEvictions = 0
  /** Seconds from reading a call to writing its reply, injected delays included. A door measures it. */
  readonly latency = new Histogram(latencyBounds)
  readonly onLatency = (seconds: number): void => this.latency.observe(seconds)
}
