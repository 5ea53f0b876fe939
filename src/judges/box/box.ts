import { anyText, choices, flags, numbers, texts } from '../../base/text/constraint.ts'
import { either, jsonMap, list, type MapShape, names, record } from '../../control/fields/field.ts'
import type { Command } from '../../control/scenario/file.ts'
import { count } from '../../control/scenario/settings/settled.ts'
import { snapshot } from '../../control/scenario/settings/snapshot.ts'
import type { SandboxesSnapshot, WorldSnapshot } from '../../control/snapshot/saved.ts'
import type { AddressOptions } from '../../emulator/gates/context-reader.ts'
import type { AreasSource } from '../../emulator/gates/open-areas.ts'
import { sandboxNames } from '../../emulator/worlds/constraints.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { type Door, doors } from '../../service/call/fault.ts'

/*
 * A box: the start of a run and everything that changed its worlds from outside, as JSON lines. Responses are not kept, since the
 * emulator makes them again: a digest says whether they are the same. docs/box.md describes the format.
 */

/** The version of the format. Readers refuse other versions. */
export const boxVersion = 1

/** What a run was served with. */
export interface Served extends AddressOptions {
  /** Where the responses went out. */
  readonly door?: Door
  /** Whether `X-Pet-Mock` marks injected responses. */
  readonly marks?: boolean
}

export interface Header extends Served {
  readonly petbox: typeof boxVersion
  /** Of the pet-mock that recorded it. */
  readonly version: string
  /** The number of the first call. Above 1, the box lost what came before. */
  readonly from: number
  /** The state of the clocks' keeper: the door's latest time, and its offset while the system's clock is back. */
  readonly time: readonly number[]
  /** How far clocks ran on when the system's went back, by sandbox, in milliseconds. */
  readonly ahead?: Readonly<Record<string, number>>
  readonly contract?: AreasSource
}

/** A call, with the digest of its response. Of a `late` one, `effect` has what is after the arrival. */
export interface BoxCall extends Effect {
  readonly call: number
  /** The door's time, in milliseconds since the epoch. */
  readonly at: number
  readonly order?: number
  readonly method: string
  readonly target: string
  /** The place of a list of headers. */
  readonly headers: number
  readonly body?: string
  readonly base64?: string
  readonly tooLarge?: boolean
  readonly connection?: number
  /** Default: 127.0.0.1. */
  readonly client?: string
  readonly https?: boolean
  readonly late?: boolean
}

/** What a call did. */
export interface Effect extends Steady {
  readonly sandbox?: string
  /** The request's id in its sandbox. Absent: the journal does not have the call. */
  readonly id?: number
  readonly status?: number
  /** Absent: the response is not compared. */
  readonly digest?: string
}

interface Steady {
  /** The steady times that the input needed, in milliseconds. */
  readonly steady?: readonly number[]
}

export interface BoxConnection {
  readonly connection: number
  readonly opened?: number
  readonly replied?: number
  readonly closed?: number
  readonly lane?: boolean
}

/** One of the lines after the start. The first field says its kind. */
export type Entry =
  | BoxCall
  | ({ readonly effect: number } & Effect)
  | { readonly headers: number; readonly list: readonly string[] }
  | BoxConnection
  | ({
      readonly change: Command
      readonly sandbox?: string
      readonly at: number
      readonly uses?: number
    } & Steady)
  /** A scenario that later lines use, in a world that nobody used. */
  | ({ readonly scenario: number; readonly world: WorldSnapshot } & { readonly origin?: Origin })
  | { readonly adopts: number; readonly at: number }
  /** Without one, no contract is served any more. */
  | { readonly contract?: AreasSource }
  | ({ readonly time: number } & Steady)
  /** What the door refused before it became a call, or lost. It is shown only. */
  | { readonly note: string; readonly at: number }
  | { readonly end: true }

/** The first lines of a box, and of each part of one. */
export interface Start {
  readonly start: SandboxesSnapshot
  /** By the places of the scenarios in it. */
  readonly origins: readonly Origin[]
}

/** What a scenario was settled from. A profile is as its file has it. */
export interface Origin {
  readonly given: NonNullable<Scenario['origin']>['given']
  readonly profile?: object
}

const origin = record({ given: jsonMap }, { profile: jsonMap })
const instant = numbers('milliseconds since the epoch', -8.64e15, 8.64e15)
const steady = { steady: list(numbers('milliseconds', -8.64e15, 8.64e15)) }
const effect = { sandbox: sandboxNames, id: count, status: count, digest: anyText, ...steady }
const source = record(
  { file: anyText, only: list(anyText), digest: anyText },
  { files: names(anyText, anyText) },
)
const call = { at: instant, method: anyText, target: anyText, headers: count }
const ofCall = {
  order: numbers('a number', -8.64e15, 8.64e15),
  body: anyText,
  base64: texts('base64', /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/),
  client: anyText,
  connection: count,
}

export const headerShape = record(
  { petbox: choices(boxVersion), version: anyText, from: count, time: list(instant) },
  {
    ahead: names(sandboxNames, instant),
    contract: source,
    door: choices(...doors),
    marks: flags,
    allowedHosts: either('a list of hosts, or *', choices('*'), list(anyText)),
    cors: either('origins, or *', choices('*'), record({ loopback: flags, listed: list(anyText) })),
    baseUrl: {
      ...anyText,
      expected: 'a URL',
      accepts: value => typeof value === 'string' && URL.canParse(value),
    },
    trustProxy: flags,
  },
)

export const startShape = record({ start: snapshot, origins: list(origin) })

/** By the first field of a line. A command is checked apart. */
export const entryShapes: Readonly<Record<string, MapShape>> = {
  call: record(
    { call: count, ...call },
    { ...ofCall, ...effect, https: flags, tooLarge: flags, late: flags },
  ),
  effect: record({ effect: count }, effect),
  headers: record({ headers: count, list: list(anyText) }),
  connection: record(
    { connection: count },
    { opened: instant, replied: instant, closed: instant, lane: flags },
  ),
  change: record({ change: jsonMap, at: instant }, { sandbox: anyText, uses: count, ...steady }),
  scenario: record({ scenario: count, world: snapshot }, { origin }),
  adopts: record({ adopts: count, at: instant }),
  contract: record({}, { contract: source }),
  time: record({ time: instant }, steady),
  note: record({ note: anyText, at: instant }),
  end: record({ end: flags }),
}
