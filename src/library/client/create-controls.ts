import { addInt64, parseInt64, toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { PlanePet } from '../../generated/plane-operations.ts'
import { type Ask, exact } from './ask-plane.ts'
import type { Controls, KeyControls, PetControls, RequestControls, StoredPet } from './controls.ts'
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

/** The page size of the admin plane. */
const maxPage = 100_000

export function createPetControls(ask: Ask): PetControls {
  const list: PetControls['list'] = async ({ status, after, limit } = {}) => {
    const found: StoredPet[] = []
    let last = after
    let more = true
    while (more && (limit === undefined || found.length < limit)) {
      const query = { status, after: last, limit: limit === undefined ? maxPage : limit - found.length }
      const page = await ask('findPets', query)
      for (const pet of page.pets) found.push(readPet(pet))
      last = found.at(-1)?.id
      more = page.more
    }
    return found
  }
  return {
    list,
    get: async id => {
      const wanted = toInt64(typeof id === 'number' ? exact(id, ['id']) : id)
      if (wanted === undefined) return undefined
      // The smallest id has no predecessor.
      const before = wanted === smallest ? {} : { after: addInt64(wanted, -1) }
      const [pet] = await list({ ...before, limit: 1 })
      return pet?.id === wanted ? pet : undefined
    },
    add: async pet => readPet(await ask('addPet', pet)),
    change: async (id, pet) => readPet(await ask('changePet', { ...pet, id })),
    delete: async id => readPet(await ask('deletePet', { id })),
  }
}

const smallest = -(2n ** 63n)

function readPet({ id, name, categoryId, status }: PlanePet): StoredPet {
  return { id: readId(id), name, categoryId: readId(categoryId), ...(status && { status }) }
}

function readId(sent: number | string): Int64 {
  return parseInt64(`${sent}`) ?? 0
}
