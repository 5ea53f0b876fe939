import { useSignal } from '@preact/signals'
import { formatCount } from '../../../base/text/quantities.ts'
import type { Feed } from '../../traffic/feed.ts'
import type { GapRow } from '../../traffic/row.ts'
import { countOf } from '../../traffic/rows.ts'

/** Says how many calls the page left out, and loads them if the server still has them. */
export function GapLine({ gap, feed }: { readonly gap: GapRow; readonly feed: Feed }) {
  const isLoading = useSignal(false)
  const count = countOf(gap)
  const words = `${formatCount(count, 'call')} not shown`
  if (gap.to < feed.firstKept.value)
    return (
      <p class="gap-line" title="The journal dropped them for newer calls. --journal keeps more.">
        {words}
      </p>
    )
  return (
    <p class="gap-line">
      {words}
      <button
        type="button"
        class="quiet"
        disabled={isLoading.value}
        onClick={() => {
          isLoading.value = true
          void feed.fill(gap).finally(() => {
            isLoading.value = false
          })
        }}
      >
        Show
      </button>
    </p>
  )
}
