import type { Quota } from './pet-service.ts'

export function QuotaMeter({ quota }: { readonly quota: Quota | undefined }) {
  if (quota === undefined) return null
  const { limit, remaining } = quota
  return (
    <label className="quota">
      {remaining} of {limit} calls left
      <meter min={0} max={limit} low={limit / 6} high={limit / 3} optimum={limit} value={remaining} />
    </label>
  )
}
