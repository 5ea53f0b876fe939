import type { Ask } from './ask-plane.ts'
import type { Controls, KeyControls, RequestControls } from './controls.ts'
import { createPetControls } from './pet-controls.ts'
import { PetMockError } from './pet-mock-error.ts'

/** Each method sends one command to the admin plane. `sandbox`: keys may have this name at their end. */
export function createControls(ask: Ask, sandbox = 'default'): Controls {
  return {
    clock: {
      advance: by => ask('advanceClock', typeof by === 'string' ? { by } : by),
      freeze: options => ask('freezeClock', options),
      resume: options => ask('resumeClock', options),
      reset: () => ask('resetClock'),
      now: async () => new Date((await ask('getClock')).at),
    },
    pets: createPetControls(ask),
    apiKeys: createKeyControls(ask, `+${sandbox}`),
    requests: createRequestControls(ask),
    conduct: ({ flights } = {}) => ask('getConduct', { flights }),
    rules: {
      list: async () => (await ask('listRules')).rules,
      add: rule => ask('addRule', rule),
      turn: (name, on) => ask('changeRule', { name, on }),
      remove: name => ask('removeRule', { name }),
    },
    reset: async () => void (await ask('reset')),
    snapshot: () => ask('takeSnapshot'),
    restore: async snapshot => void (await ask('restoreSnapshot', snapshot)),
  }
}

function createKeyControls(ask: Ask, suffix: string): KeyControls {
  const plain = (key: string) => (key.endsWith(suffix) ? key.slice(0, -suffix.length) : key)
  const list = async () => (await ask('listKeys')).keys
  return {
    list,
    get: async key => (await list()).find(state => state.key === plain(key)),
    add: (key, standing) => ask('addKey', { key: plain(key), ...standing }),
    change: (key, change) => ask('changeKey', { ...change, key: plain(key) }),
    delete: key => ask('deleteKey', { key: plain(key) }),
    ban: (key, options) => ask('banKey', { ...options, key: plain(key) }),
    unban: key => ask('unbanKey', { key: plain(key) }),
  }
}

function createRequestControls(ask: Ask): RequestControls {
  const find: RequestControls['find'] = async (filter, { limit, keys } = {}) =>
    (await ask('findRequests', { ...filter, limit }, { keys })).requests
  return {
    list: listing => find({}, listing),
    find,
    count: async (filter = {}) => (await ask('countRequests', filter)).count,
    wait: async (filter, { count = 1, timeout = '10s' } = {}) => {
      const waited = await ask('waitForRequests', { ...filter, count, timeout })
      if (waited.reached) return find(filter)
      const shown = JSON.stringify(filter, (_name, value) => (typeof value === 'bigint' ? `${value}` : value))
      const wanted = count === 1 ? 'a request' : `${count} requests`
      throw new PetMockError(
        'timed_out',
        `Waited ${timeout} for ${wanted} matching ${shown}, and found ${waited.count || 'none'}. requests.list() shows all requests with the fields that a filter matches.`,
      )
    },
    clear: async () => void (await ask('clearRequests')),
    explain: id => ask('getRequest', { id }),
  }
}
