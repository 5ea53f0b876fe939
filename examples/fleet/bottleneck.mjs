import Bottleneck from 'bottleneck'
import { policyOf } from './virtual-time.mjs'

// The free plan lets 60 calls a minute through: 10 for each of six instances, one in 6 s. The 100 ms more keep an eleventh call out of
// the minute's last instant. A reservoir of 10 that bottleneck fills each minute lets 20 through where two of its minutes meet. That is 120
// for six instances.
export const create = policyOf(() => {
  const limiter = new Bottleneck({ minTime: 6_100 })
  return job => limiter.schedule(async () => job())
})
