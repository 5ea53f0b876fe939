import { formatCount } from '../../../base/text/quantities.ts'
import type { PlaneConduct } from '../../../generated/plane-operations.ts'
import { Badge } from '../../design/basics.tsx'

/** What the judges leave open, in a line each: without findings, it looks like passed. */
export function NotJudged({ report: { unjudged } }: { readonly report: PlaneConduct }) {
  return unjudged.map(({ what, count, reason }) => (
    <p key={`${what} ${reason}`} class="not-judged">
      <Badge tone="warn">not judged</Badge> {formatCount(count, what)}: {reason}
    </p>
  ))
}
