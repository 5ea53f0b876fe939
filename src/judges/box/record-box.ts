import { BoundedMap } from '../../base/bounded-map.ts'
import { digestOf } from '../../base/hash.ts'
import { withoutUndefined } from '../../base/json/is-object.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { profileObject } from '../../control/profile/file.ts'
import type { Command } from '../../control/scenario/file.ts'
import { captureSandboxes, captureWorld, writeSandboxes, writeWorld } from '../../control/snapshot/take.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { createKnownKeys, defaultSandbox, type Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { createWorld, type World } from '../../emulator/worlds/world.ts'
import type { Call, Connection, Reply } from '../../service/call/call.ts'
import { readCredential } from '../../service/keys/credential.ts'
import { boxVersion, type Header, type Served } from './box.ts'
import { createCallMask } from './call-mask.ts'
import { createKeyNames } from './key-names.ts'

export interface BoxRecorder {
  /** The lines since the last time. The first ones are the start. */
  readonly take: () => string
  /** Begins a new part, which needs no earlier one. False while calls to open areas are under way. */
  readonly beginPart: () => boolean
  /** A line for people: a request that became no call. */
  readonly note: (text: string, at: number) => void
  /** Stops recording. Returns the last lines. */
  readonly end: () => string
}

interface Known {
  readonly place: number
  replied: Connection['replied']
  isWritten: boolean
}

/**
 * Records the run of an emulator from now on. Lines are written when somebody takes them, so a call waits for nothing.
 * `version`: that of pet-mock. `start`: the sandboxes at the start of the run.
 */
export function recordBox(
  emulator: Emulator,
  served: Served & { readonly version: string },
  start = emulator.sandboxes,
): BoxRecorder {
  const { sandboxes } = emulator
  const keys = createKeyNames()
  const isKnownKey = createKnownKeys(sandboxes).has
  const mask = createCallMask(sandboxes.secrets, keys)
  const pages = new BoundedMap<string, string>(256)
  let waiting: (() => string)[] = []
  let steady: number[] = []
  /** A time that a door noted, which matters only if an earlier one follows. */
  let noted: number | undefined
  let latest = start.time.state[0]
  let calls = 0
  const late = new Map<Call, number>()
  let headers = new Map<readonly string[], number>()
  let connections = new Map<Connection, Known>()
  let opened = 0
  let scenarios = new Map<Scenario, number>()

  const line = (value: object) => `${keys.replaceIn(JSON.stringify(value))}\n`
  const wholeLine = (text: string) => keys.replaceIn(mask.text(text))
  const push = (write: () => string) => void waiting.push(write)
  const takeSteady = (): { readonly steady?: readonly number[] } => {
    if (steady.length === 0) return {}
    const taken = { steady }
    steady = []
    return taken
  }
  /** What an input at a time of the door needs besides. A call notes its time itself. */
  const input = (wall: number, isCall = false) => {
    const time = noted
    if (time !== undefined && !(isCall && wall >= time)) push(() => line({ time }))
    noted = undefined
    if (isCall) latest = Math.max(latest, wall)
    return takeSteady()
  }

  const addKeysOf = (scenario: Scenario, world?: World) => {
    const rules = [...scenario.rules, ...(world?.rules.list().map(({ rule }) => rule) ?? [])]
    for (const { match } of rules) if (match.key !== undefined) keys.addWildcard(match.key)
    for (const { key } of scenario.events) if (key !== undefined) keys.addWildcard(key)
    for (const key of scenario.keys.keys()) keys.add(key)
    for (const key of world?.keys.keys() ?? []) keys.add(key)
    for (const key of world?.deletedKeys ?? []) keys.add(key)
  }
  const writeStart = (sandboxes: Sandboxes): (() => string) => {
    const captured = captureSandboxes(sandboxes)
    for (const world of sandboxes) addKeysOf(world.scenario, world)
    addKeysOf(sandboxes.scenario)
    headers = new Map()
    connections = new Map()
    const worlds = [...sandboxes]
    const started = [...new Set([sandboxes.scenario, ...worlds.map(({ scenario }) => scenario)])]
    scenarios = new Map(started.map((scenario, place) => [scenario, place]))
    const ahead = Object.fromEntries(
      worlds.filter(({ aheadMs }) => aheadMs !== 0).map(({ sandbox, aheadMs }) => [sandbox, aheadMs]),
    )
    const contract = emulator.areas()?.source
    const header: Header = {
      petbox: boxVersion,
      ...served,
      from: calls + 1,
      time: sandboxes.time.state.filter(ms => ms !== undefined),
      ...(Object.keys(ahead).length > 0 && { ahead }),
      ...(contract && { contract }),
    }
    return () => {
      const start = [...writeSandboxes(captured)].join('').replaceAll('\n', '')
      const origins = started.map(originOf)
      return line(header) + wholeLine(`{"start":${start},"origins":${writeJson(origins)}}\n`)
    }
  }
  const placeOf = (scenario: Scenario): number => {
    const known = scenarios.get(scenario)
    if (known !== undefined) return known
    addKeysOf(scenario)
    const place = scenarios.size
    scenarios.set(scenario, place)
    const world = captureWorld(createWorld(defaultSandbox, scenario, 0))
    push(() => {
      const text = [...writeWorld(world)].join('').replaceAll('\n', '')
      const origin = writeJson(originOf(scenario))
      return wholeLine(`{"scenario":${place},"world":${text},"origin":${origin}}\n`)
    })
    return place
  }

  const headersOf = (list: readonly string[]): { readonly place: number; readonly text: string } => {
    const known = headers.get(list)
    if (known !== undefined) return { place: known, text: '' }
    // Headers too large for the emulator's cache are a new list for each call.
    if (headers.size >= 10_000) headers.clear()
    const place = headers.size === 0 ? 0 : Math.max(...headers.values()) + 1
    headers.set(list, place)
    const credential = readCredential(list)
    if (credential.kind === 'key') keys.addSent(credential.text, isKnownKey)
    return { place, text: line({ headers: place, list: mask.headers(list) }) }
  }
  const connectionOf = (connection: Connection): { readonly place: number; readonly text: string } => {
    let known = connections.get(connection)
    if (known === undefined) {
      known = { place: opened, replied: undefined, isWritten: false }
      opened += 1
      connections.set(connection, known)
    }
    return { place: known.place, text: writeConnection(connection, known) }
  }
  const writeConnection = (connection: Connection, known: Known): string => {
    const { opened, replied, closedAt: closed, isLane: lane } = connection
    if (known.isWritten && known.replied === replied && closed === undefined) return ''
    known.isWritten = true
    known.replied = replied
    return line({ connection: known.place, opened, replied, closed, lane })
  }
  const writeConnections = () =>
    Array.from(connections, ([connection, known]) => {
      if (connection.closedAt !== undefined) connections.delete(connection)
      return writeConnection(connection, known)
    }).join('')

  // JSON leaves out what is undefined.
  const effectOf = (reply: Reply, sandbox: string, id: number | undefined, isCompared: boolean) => ({
    sandbox: sandbox === defaultSandbox ? undefined : sandbox,
    id,
    status: reply.status,
    digest: isCompared && id !== undefined && mask.mayCompare(reply) ? digest(reply, pages) : undefined,
  })
  const writeCall = (
    number: number,
    call: Call,
    list: readonly string[],
    effect: (isCompared: boolean) => object,
  ): string => {
    const headers = headersOf(list)
    const connection = call.connection && connectionOf(call.connection)
    const { isCompared, target, body } = mask.call(call, list)
    const { order, receivedAt: at, method, client, scheme } = call
    const entry = {
      call: number,
      at,
      order,
      method,
      target,
      headers: headers.place,
      ...body,
      connection: connection?.place,
      client: client === '127.0.0.1' ? undefined : client,
      https: scheme === 'https' || undefined,
      ...effect(isCompared),
    }
    return headers.text + (connection?.text ?? '') + line(entry)
  }

  sandboxes.listener = {
    arrived: call => {
      const times = input(call.receivedAt, true)
      calls += 1
      const number = calls
      late.set(call, number)
      push(() => writeCall(number, call, call.headers, () => ({ late: true, ...times })))
    },
    answered: (call, list, reply, { sandbox }, id) => {
      const arrival = late.get(call)
      if (arrival !== undefined) {
        late.delete(call)
        push(() => {
          const { isCompared } = mask.call(call, list)
          return line({ effect: arrival, ...effectOf(reply, sandbox, id, isCompared) })
        })
        return
      }
      const times = input(call.receivedAt, true)
      calls += 1
      const number = calls
      push(() =>
        writeCall(number, call, list, isCompared => ({
          ...effectOf(reply, sandbox, id, isCompared),
          ...times,
        })),
      )
    },
    changed: (sandbox, command, now) => {
      const times = input(now)
      addKeysIn(command as Command)
      const uses =
        command.do === 'useScenario'
          ? placeOf(
              sandboxes.get(sandbox === undefined || sandbox === '*' ? defaultSandbox : sandbox)?.scenario ??
                sandboxes.scenario,
            )
          : undefined
      const change = uses === undefined ? mask.command(command) : { do: 'useScenario', scenario: '' }
      const entry = { change, ...(sandbox !== undefined && { sandbox }), at: now }
      push(() => {
        const whole = withoutUndefined({ ...entry, ...(uses !== undefined && { uses }), ...times })
        // Ids may be beyond 2^53.
        return `${keys.replaceIn(writeJson(whole as unknown as JsonValue))}\n`
      })
    },
    adopted: (scenario, wall) => {
      input(wall)
      const adopts = placeOf(scenario)
      push(() => line({ adopts, at: wall }))
    },
    opened: () => {
      const contract = emulator.areas()?.source
      push(() => line({ contract }))
    },
    noted: wall => {
      const isLater = wall >= latest
      const times = input(wall, isLater)
      latest = Math.max(latest, wall)
      if (isLater && times.steady === undefined) noted = wall
      else push(() => line({ time: wall, ...times }))
    },
    readSteady: ms => void steady.push(ms),
  }
  const addKeysIn = (command: Command) => {
    if ('key' in command && command.key !== undefined) keys.add(command.key)
    if (command.do === 'addRule' && command.rule.match?.key !== undefined)
      keys.addWildcard(command.rule.match.key)
    if (command.do === 'loadSnapshot') for (const world of sandboxes) addKeysOf(world.scenario, world)
  }
  push(writeStart(start))

  const take = () => {
    const writing = waiting
    waiting = []
    return writing.map(write => write()).join('') + writeConnections()
  }
  return {
    take,
    beginPart: () => {
      if (late.size > 0) return false
      waiting.push(writeStart(sandboxes))
      return true
    },
    note: (text, at) => push(() => line({ note: mask.text(text), at })),
    end: () => {
      sandboxes.listener = undefined
      return take() + line({ end: true })
    },
  }
}

function originOf({ origin }: Scenario): JsonValue {
  const { given = {}, profile } = origin ?? {}
  const saved = { given, ...(profile && { profile: profileObject(profile) }) }
  return withoutUndefined(saved) as unknown as JsonValue
}

/** A digest of a response. Pages are shared by many responses, so the digest of each is kept. */
export function digest({ status, headers, body = '' }: Reply, pages: Map<string, string>): string {
  let ofBody = body.length > 200 ? pages.get(body) : undefined
  if (ofBody === undefined) {
    ofBody = digestOf(body)
    if (body.length > 200) pages.set(body, ofBody)
  }
  const parts = [`${status}`, ofBody]
  for (const name in headers) parts.push(name, headers[name] ?? '')
  return digestOf(...parts)
}
