import { addInt64, parseInt64, toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { Duration } from '../../base/time/duration.ts'
import type { RuleFields, Snapshot } from '../../control/scenario/file.ts'
import type { PlaneClock, PlaneKey, PlaneOperations, PlanePet } from '../../generated/plane-operations.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import { type Ask, type ExplainedRequest, exact, type RequestView } from './ask-plane.ts'
import { PetMockError } from './pet-mock-error.ts'

/**
 * The methods to inspect and change an emulator. Each is a command of the admin plane and takes its fields: durations
 * such as `60s`, instants such as `2026-03-02T09:00:00Z`. A refused command rejects with a PetMockError and changes
 * nothing.
 */
export type Controls = ReturnType<typeof createControls>
export type ClockControls = Controls['clock']
export type PetControls = Controls['pets']
export type KeyControls = Controls['keys']
export type RequestControls = Controls['requests']
export type RuleControls = Controls['rules']

export type ClockState = PlaneClock
export type KeyState = PlaneKey

/** Which requests: those that fit every given field. */
export type RequestFilter = PlaneOperations['countRequests']['body']

/** An instant, as a string or as a Date. */
type InstantLike = string | Date

/** A pet in the store. Ids and category ids beyond 2^53 are bigints. */
export interface StoredPet {
  readonly id: Int64
  readonly name: string
  readonly categoryId: Int64
  readonly status?: PetStatus
  /** Members of the fixtures that the specification does not name. An int64 beyond 2^53 is a text of digits. */
  readonly extra?: Readonly<Record<string, unknown>>
}

type PetChange = Partial<Omit<StoredPet, 'id' | 'status' | 'extra'>> & { readonly status?: PetStatus | null }

interface PetQuery {
  readonly status?: PetStatus
  /** Only pets with a greater id. */
  readonly after?: Int64
  readonly limit?: number
}

export type Counts = KeyState['used']

export interface KeyChange {
  readonly plan?: string
  /** Calls in the open windows. */
  readonly used?: Partial<Counts>
  /** A quota for this key; null for the quota of its plan. */
  readonly limits?: Partial<Counts> | null
  readonly revoked?: boolean
  /** null: never. */
  readonly expires?: InstantLike | null
}

/** At most the `limit` newest requests, newest last. `keys` is `masked` by default, so that logs may contain the list. */
type Listing = { readonly limit?: number; readonly keys?: 'masked' | 'shown' }

/** Each method sends one command to the admin plane. `sandbox`: keys may have this name at their end. */
export function createControls(ask: Ask, sandbox = 'default') {
  const suffix = `+${sandbox}`
  const plain = (key: string) => (key.endsWith(suffix) ? key.slice(0, -suffix.length) : key)
  const listKeys = async () => (await ask('listKeys')).keys
  const listPets = (query?: PetQuery) => readPets(ask, query)
  const find = async (
    filter: RequestFilter,
    { keys, ...others }: Listing = {},
  ): Promise<readonly RequestView[]> =>
    // The plane refuses unknown fields.
    (await ask('findRequests', { ...others, ...filter }, { keys })).requests
  return {
    /** The clock of windows, bans, expiry and removal. Only a reset moves it back. */
    clock: {
      /** By a duration, such as `60s`, or to an instant. */
      advance: (by: Duration | { readonly by: Duration } | { readonly to: InstantLike }) =>
        ask('advanceClock', typeof by === 'string' ? { by } : by),
      /** Stops the clock, now or at a later instant. */
      freeze: (options?: { readonly at?: InstantLike }) => ask('freezeClock', options),
      /** Lets the clock run, `scale` times as fast as real time. Default: 1. */
      resume: (options?: { readonly scale?: number }) => ask('resumeClock', options),
      /** Moves the clock back to the start of the scenario. */
      reset: () => ask('resetClock'),
      now: async () => new Date((await ask('getClock')).at),
    },
    pets: {
      /** Lists pets by ascending id. Without `limit`, all of them. */
      list: listPets,
      get: async (id: Int64) => {
        const wanted = toInt64(typeof id === 'number' ? exact(id, ['id']) : id)
        if (wanted === undefined) return undefined
        // The smallest id has no predecessor.
        const before = wanted === smallest ? {} : { after: addInt64(wanted, -1) }
        const [pet] = await listPets({ ...before, limit: 1 })
        return pet?.id === wanted ? pet : undefined
      },
      add: async (pet: Omit<StoredPet, 'id' | 'extra'>) => readPet(await ask('addPet', pet)),
      /** Changes the given fields only. A status of null removes the status. */
      change: async (id: Int64, pet: PetChange) => readPet(await ask('changePet', { ...pet, id })),
      /** Resolves with the deleted pet. Its id is never used again. */
      delete: async (id: Int64) => readPet(await ask('deletePet', { id })),
    },
    /** The API keys, with or without their sandbox, and their quotas and bans. */
    keys: {
      list: listKeys,
      get: async (key: string) => (await listKeys()).find(state => state.key === plain(key)),
      /** `strikes`: refused calls since the last accepted one. */
      add: (key: string, standing: KeyChange & { readonly plan: string; readonly strikes?: number }) =>
        ask('addKey', { key: plain(key), ...standing }),
      change: (key: string, change: KeyChange) => ask('changeKey', { ...change, key: plain(key) }),
      /** Resolves with the deleted key. */
      delete: (key: string) => ask('deleteKey', { key: plain(key) }),
      /** Bans the key for a duration such as `90s`. Default: the scenario's ban duration. */
      ban: (key: string, options?: { readonly for?: Duration }) =>
        ask('banKey', { ...options, key: plain(key) }),
      unban: (key: string) => ask('unbanKey', { key: plain(key) }),
    },
    /** The journal: the last requests of the sandbox, newest last. */
    requests: {
      list: (listing?: Listing): Promise<readonly RequestView[]> => find({}, listing),
      find,
      count: async (filter: RequestFilter = {}) => (await ask('countRequests', filter)).count,
      /**
       * Resolves with the matching requests once `count` of them exist, earlier ones included. Rejects after `timeout` of
       * real time. Default: 1 request, `10s`.
       */
      wait: async (
        filter: RequestFilter,
        {
          count = 1,
          timeout = '10s',
          ...others
        }: { readonly count?: number; readonly timeout?: Duration } = {},
      ): Promise<readonly RequestView[]> => {
        const waited = await ask('waitForRequests', { ...others, ...filter, count, timeout })
        if (waited.reached) return find(filter)
        const shown = JSON.stringify(filter, (_name, value) =>
          typeof value === 'bigint' ? `${value}` : value,
        )
        const wanted = count === 1 ? 'a request' : `${count} requests`
        throw new PetMockError(
          'timed_out',
          `Waited ${timeout} for ${wanted} matching ${shown}, and found ${waited.count || 'none'}. To see what the client sent, call requests.list(), and compare its fields with the filter.`,
        )
      },
      clear: async (): Promise<void> => void (await ask('clearRequests')),
      /** Explains the response to a request. */
      explain: (id: number): Promise<ExplainedRequest> => ask('getRequest', { id }),
    },
    /**
     * Reports how the clients behaved: findings, worst first, each with its calls and a remedy. A client that waits for
     * Retry-After and uses nothing deprecated has no errors and no warnings. `flights` adds the data for diagrams.
     */
    conduct: (options?: { readonly flights?: boolean }) => ask('getConduct', options),
    rules: {
      /** In order of precedence. */
      list: async () => (await ask('listRules')).rules,
      /** Adds a rule before all others. It replaces a rule of the same name. */
      add: (rule: RuleFields) => ask('addRule', rule),
      /** Switches a rule on or off. It keeps its place, its counts and its time. */
      change: (name: string, change: { readonly on: boolean }) => ask('changeRule', { name, ...change }),
      /** Resolves with the deleted rule. */
      delete: (name: string) => ask('deleteRule', { name }),
    },
    /** Restarts the scenario: pets, counts, bans, clock and rules, with an empty journal. */
    reset: async (): Promise<void> => void (await ask('reset')),
    snapshot: {
      save: () => ask('saveSnapshot'),
      /** Restores a snapshot, completely or not at all. */
      load: async (snapshot: Snapshot): Promise<void> => void (await ask('loadSnapshot', snapshot)),
    },
  } as const
}

/** The page size of the admin plane. */
const maxPage = 100_000

async function readPets(
  ask: Ask,
  { after, limit = Number.POSITIVE_INFINITY, ...others }: PetQuery = {},
): Promise<readonly StoredPet[]> {
  const found: StoredPet[] = []
  let last = after
  let more = limit !== 0
  while (more && !(found.length >= limit)) {
    // A limit that is no number becomes NaN, which the plane refuses.
    const page = await ask('listPets', {
      ...others,
      after: last,
      limit: Math.min(maxPage, limit - found.length),
    })
    for (const pet of page.pets) found.push(readPet(pet))
    last = found.at(-1)?.id
    more = page.more
  }
  return found
}

const smallest = -(2n ** 63n)

function readPet({ id, name, categoryId, status, extra }: PlanePet): StoredPet {
  const pet = { id: readId(id), name, categoryId: readId(categoryId), ...(status && { status }) }
  return extra === undefined ? pet : { ...pet, extra }
}

function readId(sent: number | string): Int64 {
  return parseInt64(`${sent}`) ?? 0
}
