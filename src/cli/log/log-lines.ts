import type { Refusal } from '../../doors/server/refusals.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import type { BannerFacts } from '../terminal/banner.ts'

export interface LogLines {
  /** The first lines, with their line breaks. */
  readonly ready: (facts: BannerFacts) => string
  readonly call: (exchange: Exchange) => string
  /** A request that the server rejected before it became a call. */
  readonly refusal: (refusal: Refusal) => string
  /** Contract breaches of a call that the log has already shown. */
  readonly breaches: (exchange: Exchange, breaches: readonly Breach[]) => string
  readonly skipped: (count: number) => string
}
