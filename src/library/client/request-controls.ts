import type { RequestView } from '../../judges/inspection/view.ts'
import type { Ask } from './ask-plane.ts'
import type { ExplainedRequest, RequestControls } from './controls.ts'
import { PetMockError } from './pet-mock-error.ts'

interface Requests {
  readonly requests: readonly RequestView[]
}

export function requestControls(ask: Ask): RequestControls {
  const find: RequestControls['find'] = async (filter, { limit, keys } = {}) =>
    (await ask<Requests>('POST', '/requests/find', { ...filter, limit }, { keys })).requests
  return {
    list: listing => find({}, listing),
    find,
    count: async (filter = {}) =>
      (await ask<{ readonly count: number }>('POST', '/requests/count', filter)).count,
    wait: async (filter, { count = 1, timeout = '10s' } = {}) => {
      const body = { ...filter, count, timeout }
      const came = await ask<{ readonly reached: boolean; readonly count: number }>(
        'POST',
        '/requests/wait',
        body,
      )
      if (came.reached) return find(filter)
      throw new PetMockError(
        'timed_out',
        explainWait(JSON.stringify(filter, exactly), count, timeout, came.count),
      )
    },
    clear: async () => {
      await ask('DELETE', '/requests')
    },
    explain: id => ask<ExplainedRequest>('GET', `/requests/${encodeURIComponent(id)}`),
  }
}

function explainWait(filter: string, count: number, timeout: string, came: number): string {
  const wanted = count === 1 ? 'a request' : `${count} requests`
  const found = came === 0 ? 'none came' : `${came} came`
  return `Waited ${timeout} for ${wanted} that fit ${filter}, and ${found}. requests.list() tells what was asked; each holds the key, path and answer that a filter is compared with.`
}

function exactly(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}
