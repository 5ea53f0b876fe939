import pThrottle from 'p-throttle'
import { policyOf } from './virtual-time.mjs'

// The free plan lets 60 calls a minute through: 10 for each of six instances. The 500 ms more keep an eleventh call out of the minute's last
// instant. Without `strict`, p-throttle counts in windows, and lets 20 through where two of them meet. `strict` counts in each minute,
// wherever it begins.
export const create = policyOf(() => {
  const throttle = pThrottle({ limit: 10, interval: 60_500, strict: true })
  return throttle(job => job())
})
