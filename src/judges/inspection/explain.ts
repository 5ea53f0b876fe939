import type { Exchange, Gate } from '../../emulator/journal/exchange.ts'
import { clip } from '../../service/call/echo.ts'
import type { ShowText } from './conceal.ts'
import { ignoredBy } from './ignored.ts'
import { nearestThing } from './nearest.ts'
import { type Findings, sentencesOf } from './sentences.ts'
import { showStrikes } from './strikes.ts'

/** Why a call got its response, for people and for programs. */
export interface Explanation extends Findings {
  readonly sentences: readonly string[]
  /** The gate that decided (A01). */
  readonly gate: Gate
}

/** Explains an exchange of the journal. The request behind a ban is searched in `earlier`, the exchanges of its sandbox, the newest first. */
export function explain(exchange: Exchange, earlier: Iterable<Exchange>, text: ShowText): Explanation {
  const findings = {
    mismatches: nearestThing(exchange).map(({ what, asked, expected }) => ({
      what,
      asked: clip(text(asked)),
      expected: text(expected),
    })),
    ignored: ignoredBy(exchange).map(({ name, ...rest }) => ({ ...rest, name: text(name) })),
    strikes: showStrikes(exchange, earlier),
  }
  return { sentences: sentencesOf(exchange, findings, text), gate: exchange.trace.gate, ...findings }
}
