import type { RequestView } from '../../judges/inspection/view.ts'
import type { Ask } from './ask-plane.ts'
import type { ExplainedRequest, RequestControls } from './controls.ts'
import { PetMockError } from './pet-mock-error.ts'

export function createRequestControls(ask: Ask): RequestControls {
  const find: RequestControls['find'] = async (filter, { limit, keys } = {}) => {
    const body = { ...filter, limit }
    return (
      await ask<{ readonly requests: readonly RequestView[] }>('POST', '/requests/find', body, { keys })
    ).requests
  }
  return {
    list: listing => find({}, listing),
    find,
    count: async (filter = {}) =>
      (await ask<{ readonly count: number }>('POST', '/requests/count', filter)).count,
    wait: async (filter, { count = 1, timeout = '10s' } = {}) => {
      const waited = await ask<{ readonly reached: boolean; readonly count: number }>(
        'POST',
        '/requests/wait',
        {
          ...filter,
          count,
          timeout,
        },
      )
      if (waited.reached) return find(filter)
      const shown = JSON.stringify(filter, (_name, value) => (typeof value === 'bigint' ? `${value}` : value))
      throw new PetMockError(
        'timed_out',
        `Waited ${timeout} for ${count === 1 ? 'a request' : `${count} requests`} matching ${shown}, and found ${waited.count === 0 ? 'none' : waited.count}. requests.list() shows all requests with the fields that a filter matches.`,
      )
    },
    clear: async () => {
      await ask('DELETE', '/requests')
    },
    explain: id => ask<ExplainedRequest>('GET', `/requests/${encodeURIComponent(id)}`),
  }
}
