import { BoundedMap } from '../../base/bounded-map.ts'
import { hashOf } from '../../base/hash.ts'
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

/** Of headers, or of a call, with the key that is sent. The key has no name of a sandbox. */
interface Place {
  readonly place: number
  readonly key: string | undefined
}

interface KnownConnection {
  readonly place: number
  replied: Connection['replied']
}

/** Characters that should be taken. */
const manyLines = 65_536

/**
 * Records the run of an emulator from now on. A call is written at once: what waited would cost the garbage collector more
 * than its line does. `version`: that of pet-mock. `start`: the sandboxes at the start of the run. `onMany`: many lines are
 * there to take.
 */
export function recordBox(
  emulator: Emulator,
  served: Served & { readonly version: string },
  start = emulator.sandboxes,
  onMany = () => {},
) {
  const { sandboxes } = emulator
  const keys = createKeyNames()
  const isKnownKey = createKnownKeys(sandboxes).has
  const mask = createCallMask(sandboxes.secrets, keys)
  const digest = createDigest(mask.isOpen, mask.size)
  let lines = ''
  /** The one of a call that is being written. */
  let line = ''
  const steady: number[] = []
  /** A time that a door noted, which matters only if an earlier one follows. */
  let noted: number | undefined
  let latest = start.time.state[0]
  let calls = 0
  /** Calls to open areas that are under way. */
  const late = new Map<Call, Place>()
  let headers = new Map<readonly string[], Place>()
  let places = 0
  let connections = new Map<Connection, KnownConnection>()
  let opened = 0
  let scenarios = new Map<Scenario, number>()
  let isComparable = true

  const write = (value: unknown): string => keys.replaceIn(JSON.stringify(value))
  const add = (value: object): void => {
    lines += `${write(value)}\n`
  }
  /** A line with a snapshot, whose integers may be beyond 2^53. */
  const addWhole = (text: string): void => {
    lines += keys.replaceIn(mask.text(`${text}\n`))
  }
  const takeSteady = () => (steady.length === 0 ? {} : { steady: steady.splice(0) })
  /** What an input at a time of the door needs besides. A call notes its time itself. */
  const input = (wall: number, isCall: boolean) => {
    if (noted !== undefined && !(isCall && wall >= noted)) add({ time: noted })
    noted = undefined
    if (isCall && wall > latest) latest = wall
  }

  const addKeysOf = (scenario: Scenario, world?: World) => {
    const rules = [...scenario.rules, ...(world?.rules.list().map(({ rule }) => rule) ?? [])]
    for (const { key } of [...rules.map(({ match }) => match), ...scenario.events])
      if (key !== undefined) keys.addWildcard(key)
    for (const named of [scenario.keys.keys(), world?.keys.keys() ?? [], world?.deletedKeys ?? []])
      for (const key of named) keys.add(key)
  }
  const addStart = (sandboxes: Sandboxes) => {
    const worlds = [...sandboxes]
    for (const world of worlds) addKeysOf(world.scenario, world)
    addKeysOf(sandboxes.scenario)
    headers = new Map()
    connections = new Map()
    isComparable = true
    const started = [...new Set([sandboxes.scenario, ...worlds.map(({ scenario }) => scenario)])]
    scenarios = new Map(started.map((scenario, place) => [scenario, place]))
    const ahead = worlds
      .filter(({ aheadMs }) => aheadMs !== 0)
      .map(({ sandbox, aheadMs }) => [sandbox, aheadMs])
    const contract = emulator.areas()?.source
    const header: Header = {
      petbox: boxVersion,
      ...served,
      from: calls + 1,
      time: sandboxes.time.state.filter(ms => ms !== undefined),
      ...(ahead.length > 0 && { ahead: Object.fromEntries(ahead) }),
      ...(contract && { contract }),
    }
    add(header)
    const start = oneLine(writeSandboxes(captureSandboxes(sandboxes)))
    addWhole(`{"start":${start},"origins":${writeJson(started.map(originOf))}}`)
  }
  const placeOf = (scenario: Scenario): number => {
    const known = scenarios.get(scenario)
    if (known !== undefined) return known
    addKeysOf(scenario)
    const place = scenarios.size
    scenarios.set(scenario, place)
    const world = oneLine(writeWorld(captureWorld(createWorld(defaultSandbox, scenario, 0))))
    addWhole(`{"scenario":${place},"world":${world},"origin":${writeJson(originOf(scenario))}}`)
    return place
  }

  const headersOf = (list: readonly string[]): Place => {
    const known = headers.get(list)
    if (known !== undefined) return known
    // Headers too large for the emulator's cache are a new list for each call.
    if (headers.size >= 10_000) headers.clear()
    const credential = readCredential(list)
    const key = credential.kind === 'key' ? credential.text : undefined
    if (key !== undefined) keys.addSent(key, isKnownKey)
    const added = { place: places, key: key?.replace(/\+[^+]*$/, '') }
    places += 1
    headers.set(list, added)
    add({ headers: added.place, list: mask.headers(list) })
    return added
  }
  const placeOfConnection = (connection: Connection): number => {
    const before = connections.get(connection)
    const known = before ?? { place: opened, replied: undefined }
    if (before === undefined) {
      opened += 1
      connections.set(connection, known)
    }
    if (before === undefined || known.replied !== connection.replied) addConnection(connection, known)
    return known.place
  }
  const addConnection = (connection: Connection, known: KnownConnection) => {
    const { opened, replied, closedAt: closed, isLane: lane } = connection
    known.replied = replied
    add({ connection: known.place, opened, replied, closed, lane })
  }
  const look = () => {
    for (const [connection, known] of connections) {
      const isClosed = connection.closedAt !== undefined
      if (isClosed || known.replied !== connection.replied) addConnection(connection, known)
      if (isClosed) connections.delete(connection)
    }
  }

  const beginCall = (call: Call, list: readonly string[]): Place => {
    const { target, body, order, receivedAt, method, client, scheme, connection } = call
    input(receivedAt, true)
    calls += 1
    const { place, key } = headersOf(list)
    const on = connection && placeOfConnection(connection)
    line = `{"call":${calls},"at":${receivedAt},"method":${mask.json(method)},"target":${mask.json(target)}`
    line += `,"headers":${place}`
    if (order !== undefined) line += `,"order":${order}`
    if (on !== undefined) line += `,"connection":${on}`
    if (body !== undefined) line += `,${write(mask.body(body)).slice(1, -1)}`
    if (client !== '127.0.0.1') line += `,"client":${write(client)}`
    if (scheme === 'https') line += ',"https":true'
    if (steady.length > 0) line += `,"steady":${JSON.stringify(steady.splice(0))}`
    return { place: calls, key }
  }
  const endLine = () => {
    line += '}\n'
    // Makes one text of its pieces: each would cost the garbage collector as much as the line.
    line.charCodeAt(0)
    lines += line
    if (lines.length > manyLines) onMany()
  }

  sandboxes.listener = {
    arrived: call => {
      late.set(call, beginCall(call, call.headers))
      line += ',"late":true'
      endLine()
    },
    answered: (call, list, reply, { sandbox }, id) => {
      const arrival = late.size === 0 ? undefined : late.get(call)
      if (arrival !== undefined) {
        late.delete(call)
        line = `{"effect":${arrival.place}`
      }
      const { key } = arrival ?? beginCall(call, list)
      if (sandbox !== defaultSandbox) line += `,"sandbox":${write(sandbox)}`
      if (id !== undefined) line += `,"id":${id}`
      line += `,"status":${reply.status}`
      // What such a call does to a world, it may not do when it is played.
      isComparable &&= !keys.isUnlike(key)
      const known = id === undefined || !isComparable ? undefined : digest(reply)
      if (known !== undefined) line += `,"digest":"${known}"`
      endLine()
    },
    changed: (sandbox, command, at) => {
      input(at, false)
      const times = takeSteady()
      addKeysIn(command as Command)
      const isOther = command.do === 'useScenario'
      const world = sandboxes.get(sandbox === undefined || sandbox === '*' ? defaultSandbox : sandbox)
      const uses = isOther ? placeOf(world?.scenario ?? sandboxes.scenario) : undefined
      const change = isOther ? { do: 'useScenario', scenario: '' } : mask.command(command)
      const entry = withoutUndefined({ change, sandbox, at, uses, ...times })
      // Ids may be beyond 2^53.
      lines += `${keys.replaceIn(writeJson(entry as unknown as JsonValue))}\n`
    },
    adopted: (scenario, at) => {
      input(at, false)
      takeSteady()
      add({ adopts: placeOf(scenario), at })
    },
    opened: () => add({ contract: emulator.areas()?.source }),
    noted: time => {
      const isLater = time >= latest
      input(time, isLater)
      latest = Math.max(latest, time)
      if (isLater && steady.length === 0) noted = time
      else add({ time, ...takeSteady() })
    },
    readSteady: ms => void steady.push(ms),
  }
  const addKeysIn = (command: Command) => {
    if ('key' in command && command.key !== undefined) keys.add(command.key)
    if (command.do === 'addRule' && command.rule.match?.key !== undefined)
      keys.addWildcard(command.rule.match.key)
    if (command.do === 'loadSnapshot') for (const world of sandboxes) addKeysOf(world.scenario, world)
  }
  addStart(start)

  const take = () => {
    look()
    const taken = lines
    lines = ''
    return taken
  }
  return {
    /** The lines since the last time. The first ones are the start. */
    take,
    /** Writes what became of connections since the last time. */
    look,
    /** Begins a new part, which needs no earlier one. False while calls to open areas are under way. */
    beginPart: () => {
      if (late.size > 0) return false
      addStart(sandboxes)
      return true
    },
    /** A line for people: a request that became no call. */
    note: (text: string, at: number) => add({ note: mask.text(text), at }),
    /** Stops recording. Returns the last lines. */
    end: () => {
      sandboxes.listener = undefined
      return `${take()}{"end":true}\n`
    },
  }
}

function oneLine(pieces: Iterable<string>): string {
  return [...pieces].join('').replaceAll('\n', '')
}

function originOf({ origin }: Scenario): JsonValue {
  const { given = {}, profile } = origin ?? {}
  const saved = { given, ...(profile && { profile: profileObject(profile) }) }
  return withoutUndefined(saved) as unknown as JsonValue
}

/** Headers that count, and show nothing. */
const counts: ReadonlySet<string> = new Set(
  'Content-Length X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset Date'.split(' '),
)

interface Hashed {
  readonly value: string
  readonly one: number
  readonly other: number
  readonly isShown: boolean
}

/**
 * Makes digests of responses. Many responses share a page, and most of their headers are then the same, so what is known of
 * them is kept. `isOpen`: a response with another text has no digest. `size`: changes when that does.
 */
export function createDigest(isOpen = (_text: string): boolean => true, size = () => 0) {
  const bodies = new BoundedMap<string, Hashed & { readonly headers: Map<string, Hashed> }>(256)
  let madeAt = 0
  const hashed = (name: string, value: string): Hashed => {
    const hash = hashOf(name, value)
    const isShown = counts.has(name) || isOpen(`"${name}":"${value}"`)
    return { value, one: hash | 0, other: (hash / 0x1_0000_0000) | 0, isShown }
  }
  return ({ status, headers, body = '' }: Reply): string | undefined => {
    if (madeAt !== size()) bodies.clear()
    madeAt = size()
    let page = bodies.get(body)
    if (page === undefined) {
      page = { ...hashed('', body), headers: new Map() }
      bodies.set(body, page)
    }
    let { one, other, isShown } = page
    one ^= status
    for (const name in headers) {
      const value = headers[name] ?? ''
      let header = page.headers.get(name)
      if (header?.value !== value) {
        header = hashed(name, value)
        page.headers.set(name, header)
      }
      one = Math.imul(one ^ header.one, 2_654_435_761)
      other = Math.imul(other ^ header.other, 1_597_334_677)
      isShown &&= header.isShown
    }
    // A text of whole numbers below 2^31 is the quickest to make.
    return isShown ? `${one >>> 1}_${other >>> 1}` : undefined
  }
}
