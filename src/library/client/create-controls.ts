import type { RequestView } from '../../judges/inspection/view.ts'
import type { Ask } from './ask-plane.ts'
import type {
  ClockState,
  ConductReport,
  Controls,
  ExplainedRequest,
  KeyControls,
  KeyState,
  RequestControls,
  Snapshot,
} from './controls.ts'
import { createPetControls } from './pet-controls.ts'
import { PetMockError } from './pet-mock-error.ts'
import type { RuleState } from './rule-controls.ts'

/** Each method sends one command to the admin plane. `sandbox`: keys may have this name at their end. */
export function createControls(ask: Ask, sandbox = 'default'): Controls {
  return {
    clock: {
      advance: by => ask<ClockState>('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
      freeze: options => ask<ClockState>('POST', '/clock/freeze', { ...options }),
      resume: options => ask<ClockState>('POST', '/clock/resume', { ...options }),
      reset: () => ask<ClockState>('POST', '/clock/reset'),
      now: async () => new Date((await ask<ClockState>('GET', '/clock')).at),
    },
    pets: createPetControls(ask),
    apiKeys: createKeyControls(ask, `+${sandbox}`),
    requests: createRequestControls(ask),
    conduct: ({ flights } = {}) => ask<ConductReport>('GET', '/conduct', undefined, { flights }),
    rules: {
      list: async () => (await ask<{ readonly rules: readonly RuleState[] }>('GET', '/rules')).rules,
      add: rule => ask<RuleState>('POST', '/rules', rule),
      turn: (name, on) => ask<RuleState>('PATCH', `/rules/${encodeURIComponent(name)}`, { on }),
      remove: name => ask<RuleState>('DELETE', `/rules/${encodeURIComponent(name)}`),
    },
    reset: async () => {
      await ask('POST', '/reset')
    },
    snapshot: () => ask<Snapshot>('GET', '/snapshot'),
    restore: async snapshot => {
      await ask('PUT', '/snapshot', snapshot)
    },
  }
}

function createKeyControls(ask: Ask, suffix: string): KeyControls {
  const plain = (key: string) => (key.endsWith(suffix) ? key.slice(0, -suffix.length) : key)
  const pathOf = (key: string, action = '') => `/keys/${encodeURIComponent(plain(key))}${action}`
  const list = async () => (await ask<{ readonly keys: readonly KeyState[] }>('GET', '/keys')).keys
  return {
    list,
    get: async key => (await list()).find(state => state.key === plain(key)),
    add: (key, standing) => ask<KeyState>('POST', '/keys', { key: plain(key), ...standing }),
    change: (key, change) => ask<KeyState>('PATCH', pathOf(key), change),
    delete: key => ask<KeyState>('DELETE', pathOf(key)),
    ban: (key, options) => ask<KeyState>('POST', pathOf(key, '/ban'), { ...options }),
    unban: key => ask<KeyState>('POST', pathOf(key, '/unban')),
  }
}

function createRequestControls(ask: Ask): RequestControls {
  const find: RequestControls['find'] = async (filter, { limit, keys } = {}) => {
    const found = ask<{ readonly requests: readonly RequestView[] }>(
      'POST',
      '/requests/find',
      { ...filter, limit },
      { keys },
    )
    return (await found).requests
  }
  const readCount = (path: string, body: object) =>
    ask<{ readonly count: number; readonly reached?: boolean }>('POST', path, body)
  return {
    list: listing => find({}, listing),
    find,
    count: async (filter = {}) => (await readCount('/requests/count', filter)).count,
    wait: async (filter, { count = 1, timeout = '10s' } = {}) => {
      const waited = await readCount('/requests/wait', { ...filter, count, timeout })
      if (waited.reached) return find(filter)
      const shown = JSON.stringify(filter, (_name, value) => (typeof value === 'bigint' ? `${value}` : value))
      const wanted = count === 1 ? 'a request' : `${count} requests`
      throw new PetMockError(
        'timed_out',
        `Waited ${timeout} for ${wanted} matching ${shown}, and found ${waited.count || 'none'}. requests.list() shows all requests with the fields that a filter matches.`,
      )
    },
    clear: async () => {
      await ask('DELETE', '/requests')
    },
    explain: id => ask<ExplainedRequest>('GET', `/requests/${encodeURIComponent(id)}`),
  }
}
